import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { ChallengeId, UserId } from '#lib/domain/ids.ts';
import { noticesOf } from '#lib/domain/limits/count-keys.ts';
import type {
	FoundDeleted,
	FoundReserved,
	Redeemed,
	Redemption,
	SignIns
} from '#lib/domain/sign-in/sign-ins.ts';
import { endedSession } from '#lib/domain/sessions/invalidation.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Session } from '#lib/domain/sessions/session.ts';
import { addEmails } from '../delivery/add-emails.ts';
import { placeDevice } from '../devices/place-device.ts';
import { deleteChallenge, deleteOtherChallenges, lockChallenge } from './challenge-steps.ts';
import { findOrCreateAccount, restore } from './find-or-create-account.ts';
import { sessionColumns } from '../rows.ts';
import {
	onlyRowOf,
	preparedStep,
	rowsOf,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';

export const sqlSignIns = (database: Sql): SignIns => ({
	redeem: (redemption) => database.transaction((tx) => redeem(database, tx, redemption))
});

function* redeem(
	database: Sql,
	tx: Transaction,
	redemption: Redemption
): Work<Redeemed | FoundDeleted | FoundReserved | null> {
	const { tables } = database;
	const { challengeId, email, session, ifDeleted } = redemption;
	// Locks the challenge first. The account decides whether the challenge is consumed, and
	// concurrent redemptions wait here until then.
	const [challenge] = yield* lockChallenge(tx, tables, { id: challengeId, email });
	if (challenge === undefined) return null;

	const now = session.createdAt;
	const account = yield* findOrCreateAccount(database, tx, email, redemption.account, now);
	if (account === null) {
		yield* deleteChallenge(tx, tables, { id: challengeId });
		return null;
	}
	if (account.kind === 'reserved') {
		yield* giveGuessBack(tx, tables, challengeId);
		return account;
	}
	const { deletedAt, created } = account;
	if (deletedAt !== null && ifDeleted.then !== 'restore') {
		yield* keepDeleted(tx, tables, challengeId, ifDeleted);
		return { kind: 'deleted', deletedAt };
	}

	yield* deleteChallenge(tx, tables, { id: challengeId });
	if (challenge.boundTo !== '') yield* deleteOtherChallenges(tx, tables, challenge);
	const user =
		deletedAt === null
			? account.user
			: yield* restore(tx, tables, account.user.id, session.createdAt);
	const ended = yield* endReplaced(tx, tables, redemption.replaces);
	const { device } = redemption;
	const placed = device && (yield* placeDevice(database, tx, user.id, device));
	const opening = { ...session, userId: user.id, deviceId: placed && placed.id };
	const opened = yield* onlyRowOf(openSession(tx, tables, opening));

	yield* forgetFailures(tx, tables, { email });
	const isKnown =
		placed?.wasKnown === true || (ended?.userId === user.id && ended.expiresAt > now);
	const { newDeviceEmails } = redemption;
	const isNew = newDeviceEmails.length > 0 && !created && !isKnown;
	const isReported = isNew && (placed !== null || (yield* isFirstToday(tx, tables, user.id, now)));
	if (isReported) yield* addEmails(tx, tables, newDeviceEmails);
	const replaced = ended === null ? null : endedSession(ended);
	return { kind: 'signed_in', user, session: opened, created, replaced, isReported };
}

/** Counts a notice about a device without a key, unless one was counted on the same day. */
function* isFirstToday(
	tx: Transaction,
	{ siteCount: t }: Tables,
	userId: UserId,
	now: Date
): Work<boolean> {
	const row = { ...noticesOf(userId, now), part: 0, count: 1 };
	const added = tx.insert(t).values(row).onConflictDoNothing().returning({ part: t.part });
	return (yield* rowsOf(added)).length > 0;
}

/** A right code that has no effect costs no attempt. */
function* giveGuessBack(tx: Transaction, { verification: t }: Tables, id: ChallengeId): Work<void> {
	yield tx
		.update(t)
		.set({ attempts: sql`${t.attempts} - 1` })
		.where(and(eq(t.id, id), gt(t.attempts, 0)))
		.returning({ id: t.id });
}

/** Handles a right code for an account that stays deleted. */
function* keepDeleted(
	tx: Transaction,
	tables: Tables,
	id: ChallengeId,
	ifDeleted: Exclude<Redemption['ifDeleted'], { then: 'restore' }>
): Work<void> {
	const { verification: t } = tables;
	if (ifDeleted.then === 'refuse') {
		yield* giveGuessBack(tx, tables, id);
		return;
	}
	const { grant } = ifDeleted;
	yield* deleteChallenge(tx, tables, { id });
	yield tx
		.delete(t)
		.where(and(eq(t.purpose, grant.purpose), eq(t.email, grant.email)))
		.returning({ id: t.id });
	const values = { ...grant, boundTo: grant.boundTo ?? '' } as const;
	yield tx.insert(t).values(values).returning({ id: t.id });
}

type ReplacedSession = Pick<Session, 'id' | 'userId' | 'expiresAt'>;

/** Ends the session that is stored under one of the hashes, if there is one. */
function* endReplaced(
	tx: Transaction,
	{ session }: Tables,
	hashes: readonly SecretHash[]
): Work<ReplacedSession | null> {
	if (hashes.length === 0) return null;
	const { id, userId, expiresAt } = session;
	const [ended] = yield* rowsOf(
		tx
			.delete(session)
			.where(inArray(session.tokenHash, [...hashes]))
			.returning({ id, userId, expiresAt })
	);
	return ended ?? null;
}

const openSession = preparedStep((tx, tables) =>
	tx
		.insert(tables.session)
		.values({
			id: sql.placeholder('id'),
			tokenHash: sql.placeholder('tokenHash'),
			userId: sql.placeholder('userId'),
			expiresAt: sql.placeholder('expiresAt'),
			createdAt: sql.placeholder('createdAt'),
			updatedAt: sql.placeholder('createdAt'),
			ipAddress: sql.placeholder('ipAddress'),
			userAgent: sql.placeholder('userAgent'),
			deviceId: sql.placeholder('deviceId')
		})
		.returning(sessionColumns(tables))
);

const forgetFailures = preparedStep((tx, { authThrottle: t }) =>
	tx
		.update(t)
		.set({ failures: 0, failedAt: null })
		.where(eq(t.key, sql.placeholder('email')))
		.returning({ key: t.key })
);
