import type { RequestSource } from '../client.ts';
import type { UseCaseDeps } from '../deps.ts';
import type { Email } from '../email.ts';
import type { Actor } from '../events/ports.ts';
import { forPerson, recordReading } from '../events/use-cases.ts';
import type { ConsentRecordId, Ids, SessionId, UserId } from '../ids.ts';
import type { Outbox, OutboxRow } from '../outbox.ts';
import { inBatches } from '../pacer.ts';
import { secondsAfter } from '../time.ts';
import type { User } from '../user.ts';
import type { Account, NewAccount, Profile, ProfileChange } from './ports.ts';

/** What a new account starts with, and a record of the consent given at sign-up, if one was. */
export const newAccount = (
	ids: Ids,
	email: Email,
	{ name, image, marketing = null }: Profile,
	now: Date,
	mails: readonly OutboxRow[] = []
): NewAccount => {
	const userId = ids.next() as UserId;
	return {
		user: { id: userId, email, emailVerified: true, name, image, createdAt: now, updatedAt: now },
		userData: {
			userId,
			marketingOptIn: marketing !== null,
			marketingOptInAt: marketing && now,
			isTrialEligible: true
		},
		consent: marketing && {
			id: ids.next() as ConsentRecordId,
			userId,
			at: now,
			occasion: marketing
		},
		mails
	};
};

const makeUpdateProfile =
	({ accounts, clock }: UseCaseDeps) =>
	(id: UserId, change: ProfileChange): Promise<User | null> =>
		accounts.update(id, change, clock.now());

export const deletionNotice = (
	outbox: Outbox,
	{ id, email: to }: Pick<User, 'id' | 'email'>,
	about: { readonly at: Date; readonly purgeAt: Date; readonly source: RequestSource | null }
): OutboxRow =>
	outbox.prepare({ kind: 'account_deleted', to, ...about }, { now: about.at, fairnessKey: id });

interface DeleteAccountInput {
	readonly user: Pick<User, 'id' | 'email'>;
	readonly source: RequestSource;
}

interface DeletedAccount {
	readonly ended: readonly SessionId[];
	/** The end of the grace period. The account can be restored until then. */
	readonly purgeAt: Date;
}

/** Also sends an email that says how to restore it. Null when it was already deleted. */
const makeDeleteAccount =
	({ accounts, outbox, clock, policy }: UseCaseDeps) =>
	async ({ user, source }: DeleteAccountInput): Promise<DeletedAccount | null> => {
		const at = clock.now();
		const purgeAt = secondsAfter(at, policy.deletion.grace);
		const mail = deletionNotice(outbox, user, { at, purgeAt, source });
		const ended = await accounts.delete(user.id, at, [mail]);
		if (ended === null) return null;
		outbox.wake();
		return { ended, purgeAt };
	};

const makePurgeAccounts =
	({ accounts, pacer, clock, policy }: UseCaseDeps) =>
	(): Promise<number> => {
		// An account that an old email address can have back must not be removed.
		const longest = Math.max(policy.deletion.grace, policy.emailChange.undoFor);
		const deletedBefore = secondsAfter(clock.now(), -longest);
		return inBatches(
			policy.prune.accounts,
			pacer,
			async (limit) => (await accounts.purge(deletedBefore, limit)).length
		);
	};

/** What is stored about a person except events, with the newest `consentLimit` records of consents. */
export const readAccountData = async (
	deps: UseCaseDeps,
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
const makeExportAccount = (deps: UseCaseDeps) => async (id: UserId, actor: Actor) => {
	const found = await deps.operators.find(id);
	if (found === null) return null;
	await recordReading(deps, id, 'exported', actor);
	const data = await readAccountData(deps, found, ALL_RECORDS);
	const events = await deps.events.pageOf(id, null, ALL_RECORDS);
	return { exportedAt: deps.clock.now(), ...data, events: events.map(forPerson) };
};

export const account = {
	updateProfile: makeUpdateProfile,
	deleteAccount: makeDeleteAccount,
	purgeAccounts: makePurgeAccounts,
	exportAccount: makeExportAccount
};
