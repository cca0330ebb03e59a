import type { Deps } from '../deps.ts';
import type { Email } from '../email.ts';
import type { Actor } from '../events/ports.ts';
import { forPerson, recordReading } from '../events/use-cases.ts';
import type { Account } from './ports.ts';

export type AccountDataDeps = Deps<
	| 'accounts'
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
const NO_LIMIT = 1_000_000;

/** The data of the account with an email address, deleted or not. Null when there is none. */
export const makeExportAccount = (deps: AccountDataDeps) => async (email: Email, actor: Actor) => {
	const found = await deps.accounts.find(email);
	if (found === null) return null;
	const { id } = found;
	await recordReading(deps, id, 'exported', actor);
	const data = await readAccountData(deps, found, NO_LIMIT);
	const events = await deps.events.pageOf(id, null, NO_LIMIT);
	return { exportedAt: deps.clock.now(), ...data, events: events.map(forPerson) };
};
