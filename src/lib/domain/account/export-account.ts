import type { Deps } from '../deps.ts';
import type { Actor } from '../events/ports.ts';
import { forPerson, recordReading } from '../events/use-cases.ts';
import type { UserId } from '../ids.ts';
import type { Account } from './ports.ts';

export type AccountDataDeps = Deps<
	| 'sessions'
	| 'devices'
	| 'emailChanges'
	| 'emailUndos'
	| 'oidcStore'
	| 'consents'
	| 'purchases'
	| 'events'
	| 'clock'
>;

/** What is stored about a person except events, with the newest `consentLimit` records of consents. */
export const readAccountData = async (
	deps: AccountDataDeps,
	account: Account,
	consentLimit: number
) => {
	const { id } = account;
	const now = deps.clock.now();
	const pending = await deps.emailChanges.pendingOf(id, now);
	return {
		account: { ...account, ...(await deps.consents.of(id)) },
		sessions: await deps.sessions.listOf(id, now),
		devices: await deps.devices.listOf(id),
		pendingChange: pending && {
			email: pending.email,
			createdAt: pending.createdAt,
			expiresAt: pending.expiresAt
		},
		/** Old email addresses that can still undo a change. */
		undoable: await deps.emailUndos.listOf(id, now),
		applications: await deps.oidcStore.applicationsOf(id, now),
		consent: await deps.consents.historyOf(id, consentLimit),
		purchases: await deps.purchases.listOf(id)
	};
};

/** More events or records of consents than an account can have. */
const ALL_RECORDS = 1_000_000;

/** The data of an account, deleted or not. Null when there is none. */
export const makeExportAccount =
	(deps: AccountDataDeps & Deps<'operators'>) => async (id: UserId, actor: Actor) => {
		const found = await deps.operators.find(id);
		if (found === null) return null;
		await recordReading(deps, id, 'exported', actor);
		const data = await readAccountData(deps, found, ALL_RECORDS);
		const events = await deps.events.pageOf(id, null, ALL_RECORDS);
		return { exportedAt: deps.clock.now(), ...data, events: events.map(forPerson) };
	};
