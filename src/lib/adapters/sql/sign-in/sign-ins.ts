import { and, desc, eq, getTableColumns, gt, inArray, notInArray, sql } from 'drizzle-orm';
import type { Account, NewAccount } from '#lib/domain/account/ports.ts';
import type { DevicePlacement, Session } from '#lib/domain/sessions/ports.ts';
import type {
	FoundReserved,
	RedeemResult,
	Redemption,
	SessionlessChallenge,
	SignIns
} from '#lib/domain/sign-in/ports.ts';
import {
	continuedDevice,
	decideRedemption,
	type ReplacedSession
} from '#lib/domain/sign-in/redemption.ts';
import type { User } from '#lib/domain/user.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { addUserData } from '../consent/consents.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { placeDevice, reportNewDevice } from '../sessions/devices.ts';
import { undoRightOf } from '../email-change/email-undos.ts';
import { linkPurchases } from '../purchases/purchases.ts';
import { recordEvent } from '../events/record-event.ts';
import { asColumn, placeholdersFor, sessionColumns, userColumns } from '../rows.ts';
import { changeAccount, lockStatement, recordEnded } from '../locked-account.ts';
import { onlyRowOf, preparedStep, rowsOf, type Sql, type Transaction, type Work } from '../sql.ts';
import {
	deleteChallenge,
	deleteOtherChallenges,
	giveAttemptBack,
	lockChallenge,
	toRow
} from './challenges.ts';

export const sqlSignIns = (database: Sql): SignIns => ({
	redeem: (redemption) => database.transaction((tx) => redeem(tx, redemption))
});

function* redeem(tx: Transaction, redemption: Redemption): Work<RedeemResult> {
	const { challengeId, email, ifDeleted } = redemption;
	// Locks the challenge first. The account decides whether the challenge is consumed, and
	// concurrent redemptions wait here until then.
	const [challenge] = yield* lockChallenge(tx, { id: challengeId, email });
	if (challenge === undefined) return null;

	const now = redemption.session.createdAt;
	const found = yield* findOrCreateAccount(tx, email, redemption.account, now);
	const decided = decideRedemption(challenge, found, ifDeleted);
	if (decided.signsInTo === null) {
		if (decided.givesAttemptBack) yield* giveAttemptBack(tx, { id: challengeId });
		else yield* deleteChallenge(tx, { id: challengeId });
		if (decided.grant !== null) yield* storeGrant(tx, decided.grant);
		return decided.result;
	}
	yield* deleteChallenge(tx, { id: challengeId });
	if (challenge.binding !== '') yield* deleteOtherChallenges(tx, challenge);
	return yield* signIn(tx, redemption, decided.signsInTo);
}

/** Signs in to a locked account: ends other sessions, places the device, opens the session. */
function* signIn(
	tx: Transaction,
	redemption: Redemption,
	{ user: found, deletedAt, created }: FoundOrCreatedAccount
): Work<RedeemResult> {
	const { session, email, device: placement } = redemption;
	const now = session.createdAt;
	const user =
		deletedAt === null
			? found
			: yield* changeAccount(tx, found.id, { deletedAt: null, updatedAt: now });
	const [replaced] = yield* endReplaced(tx, redemption.replaces);
	const remaining = redemption.sessionsPerAccount - 1;
	const earlier = [
		...(yield* endEarlierInBrowser(tx, user.id, placement)),
		...(created ? [] : yield* endUnused(tx, { userId: user.id, remaining }))
	];

	const continued = continuedDevice(replaced, user.id, now);
	const offeredEmail = placement?.kind === 'browser' ? email : null;
	const device = placement && (yield* placeDevice(tx, user.id, placement, continued, offeredEmail));
	const owned = { userId: user.id, deviceId: device && device.id, updatedAt: now };
	const opened = yield* onlyRowOf(openSession(tx, { ...session, ...owned }));

	yield* forgetWrongCodes(tx, { email });
	const isReported =
		!created &&
		device?.wasKnown !== true &&
		(yield* reportNewDevice(tx, user.id, device, redemption.newDeviceMails, now));
	if (deletedAt !== null) yield* recordEvent(tx, 'restored', user.id);
	if (!created) yield* recordEvent(tx, 'signed_in', user.id);
	if (replaced && replaced.userId !== user.id) yield* recordEnded(tx, replaced.userId, [replaced]);
	yield* recordEnded(tx, user.id, earlier);
	const ended = [...(replaced ? [replaced] : []), ...earlier].map(({ id }) => id);
	return { kind: 'signed_in', user, session: opened, created, ended, isReported };
}

function* storeGrant(tx: Transaction, grant: SessionlessChallenge): Work<void> {
	const { verification: t } = tx.tables;
	yield tx.delete(t).where(and(eq(t.purpose, grant.purpose), eq(t.email, grant.email)));
	yield tx.insert(t).values(toRow(grant));
}

const openSession = preparedStep((tx, tables) =>
	tx
		.insert(tables.session)
		.values(placeholdersFor(getTableColumns(tables.session)))
		.returning(sessionColumns(tables))
);

const forgetWrongCodes = preparedStep((tx, { authThrottle: t }) =>
	tx
		.update(t)
		.set({ wrongCodes: 0, wrongCodeAt: null })
		.where(and(eq(t.key, sql.placeholder('email')), gt(t.wrongCodes, 0)))
);

interface FoundOrCreatedAccount extends Pick<Account, 'deletedAt' | 'blockedAt'> {
	readonly user: User;
	readonly created: boolean;
}

/**
 * Locks the account until the transaction ends: a concurrent deletion or email change happens
 * before or after as a whole. Creates none if `account` is null or the email address is reserved.
 */
function* findOrCreateAccount(
	tx: Transaction,
	email: Email,
	account: NewAccount | null,
	now: Date
): Work<FoundOrCreatedAccount | FoundReserved | null> {
	for (;;) {
		const [found] = yield* lockByEmail(tx, { email });
		if (found !== undefined) {
			const { deletedAt, blockedAt, role: _, ...user } = found;
			return { user, deletedAt, blockedAt, created: false };
		}
		// After the lock, which waits for an account that leaves the email address at the same moment.
		const undoRight = yield* undoRightOf(tx, email, now);
		if (undoRight !== null)
			return { kind: 'reserved', undo: undoRight.id, until: undoRight.expiresAt };
		if (account === null) return null;
		// The unique index decides which transaction creates the account. This insert waits for a
		// concurrent one.
		const [user] = yield* createAccount(tx, { ...account.user, email });
		if (user === undefined) continue;

		yield* recordEvent(tx, 'signed_up', user.id);
		yield* addUserData(tx, account, email);
		yield* linkPurchases(tx, account, email);
		yield* addMails(tx, account.mails);
		return { user, deletedAt: null, blockedAt: null, created: true };
	}
}

const lockByEmail = preparedStep((tx) =>
	lockStatement(tx, eq(tx.tables.user.email, sql.placeholder('email')))
);

const createAccount = preparedStep((tx, tables) =>
	tx
		.insert(tables.user)
		.values(placeholdersFor(userColumns(tables)))
		.onConflictDoNothing({ target: tables.user.email })
		.returning(userColumns(tables))
);

function* endReplaced(
	tx: Transaction,
	hashes: readonly SecretHash[]
): Work<readonly ReplacedSession[]> {
	const { session } = tx.tables;
	if (hashes.length === 0) return [];
	const { id, userId, expiresAt, deviceId } = session;
	return yield* rowsOf(
		tx
			.delete(session)
			.where(inArray(session.tokenHash, [...hashes]))
			.returning({ id, userId, expiresAt, deviceId })
	);
}

/** Ends the sessions of a locked account on the device with the presented key, before its row is locked. */
function* endEarlierInBrowser(
	tx: Transaction,
	userId: UserId,
	device: DevicePlacement | null
): Work<readonly Pick<Session, 'id'>[]> {
	const { session: t, device: d } = tx.tables;
	if (device?.kind !== 'browser' || device.presentedHashes.length === 0) return [];
	const isTheirs = and(eq(d.userId, userId), inArray(d.keyHash, [...device.presentedHashes]));
	const devices = tx.select({ id: d.id }).from(d).where(isTheirs);
	return yield* rowsOf(
		tx
			.delete(t)
			.where(and(eq(t.userId, userId), inArray(t.deviceId, devices)))
			.returning({ id: t.id })
	);
}

/** Ends the least recently refreshed sessions of a locked account, so that `remaining` are left. */
const endUnused = preparedStep((tx, { session: t }) => {
	const isOfAccount = eq(t.userId, asColumn('userId', t.userId));
	const latest = tx
		.select({ id: t.id })
		.from(t)
		.where(isOfAccount)
		.orderBy(desc(t.updatedAt), desc(t.id))
		.getSQL();
	// The cast: SQLite plans again for each value bound to a limit.
	const kept = sql`(${latest} limit cast(${sql.placeholder('remaining')} as integer))`;
	return tx
		.delete(t)
		.where(and(isOfAccount, notInArray(t.id, kept)))
		.returning({ id: t.id });
});
