import { fromStore, type UseCaseDeps } from '../deps.ts';
import { parseEmail } from '../email.ts';
import { ok, type ErrorOf, type Result } from '../errors.ts';
import type { PurchaseId } from '../ids.ts';
import { newSecret } from '../secret.ts';
import { parsePurchaseReference, type Purchase, type PurchaseReference } from './ports.ts';

/** The payment provider gets it in the return URL and sends it back with its webhook. */
const makeBeginPurchase =
	({ random }: UseCaseDeps) =>
	(): PurchaseReference =>
		newSecret(random) as PurchaseReference;

interface Bought {
	readonly email: string;
	readonly product: string;
	readonly reference?: PurchaseReference;
}

/** For the application's payment webhook. Creates a reference when none is given. */
const makeRecordPurchase =
	(deps: UseCaseDeps) =>
	async (
		bought: Bought
	): Promise<Result<Pick<Purchase, 'reference' | 'email'>, ErrorOf<'invalid_email'>>> => {
		const { product, reference = makeBeginPurchase(deps)() } = bought;
		const parsed = parseEmail(bought.email, deps.domainNames);
		if (!parsed.ok) return parsed;
		const id = deps.ids.next() as PurchaseId;
		const purchase = { id, email: parsed.value, reference, product, status: 'paid' } as const;
		await deps.purchases.record({ ...purchase, createdAt: deps.clock.now() });
		return ok({ reference, email: purchase.email });
	};

const makeReadPurchase =
	({ purchases }: UseCaseDeps) =>
	async (typed: string): Promise<Purchase | null> => {
		const reference = parsePurchaseReference(typed);
		return reference && purchases.find(reference);
	};

export const purchases = {
	beginPurchase: makeBeginPurchase,
	recordPurchase: makeRecordPurchase,
	readPurchase: makeReadPurchase,
	claimPurchase: fromStore('purchases', 'claim'),
	listPurchases: fromStore('purchases', 'listOf')
};
