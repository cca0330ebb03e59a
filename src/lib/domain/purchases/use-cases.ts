import type { Deps } from '../deps.ts';
import { parseEmail } from '../email.ts';
import { ok, type ErrorOf, type Result } from '../errors.ts';
import type { PurchaseId, UserId } from '../ids.ts';
import type { User } from '../user.ts';
import { newSecret } from '../secret.ts';
import { parsePurchaseReference, type Purchase, type PurchaseReference } from './ports.ts';

/** The payment provider gets it in the return URL and sends it back with its webhook. */
const makeBeginPurchase =
	({ random }: Deps<'random'>) =>
	(): PurchaseReference =>
		newSecret(random) as PurchaseReference;

interface Bought {
	readonly email: string;
	readonly product: string;
	readonly reference?: PurchaseReference;
}

/** For the application's payment webhook. Creates a reference when none is given. */
const makeRecordPurchase =
	({
		purchases,
		domainNames,
		clock,
		random,
		ids
	}: Deps<'purchases' | 'domainNames' | 'clock' | 'random' | 'ids'>) =>
	async ({
		email: typed,
		product,
		reference = makeBeginPurchase({ random })()
	}: Bought): Promise<Result<Pick<Purchase, 'reference' | 'email'>, ErrorOf<'invalid_email'>>> => {
		const email = parseEmail(typed, domainNames);
		if (!email.ok) return email;
		await purchases.record({
			id: ids.next() as PurchaseId,
			email: email.value,
			reference,
			product,
			status: 'paid',
			createdAt: clock.now()
		});
		return ok({ reference, email: email.value });
	};

const makeReadPurchase =
	({ purchases }: Deps<'purchases'>) =>
	async (typed: string): Promise<Purchase | null> => {
		const reference = parsePurchaseReference(typed);
		return reference && purchases.find(reference);
	};

const makeClaimPurchase =
	({ purchases }: Deps<'purchases'>) =>
	(reference: PurchaseReference, user: Pick<User, 'id' | 'email'>): Promise<boolean> =>
		purchases.claim(reference, user);

const makeListPurchases =
	({ purchases }: Deps<'purchases'>) =>
	(userId: UserId): Promise<readonly Purchase[]> =>
		purchases.listOf(userId);

export const purchases = {
	beginPurchase: makeBeginPurchase,
	recordPurchase: makeRecordPurchase,
	readPurchase: makeReadPurchase,
	claimPurchase: makeClaimPurchase,
	listPurchases: makeListPurchases
};
