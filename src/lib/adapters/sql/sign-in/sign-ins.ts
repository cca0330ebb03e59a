import { and, eq, sql } from 'drizzle-orm';
import type { ChallengeId } from '#lib/domain/ids.ts';
import type {
	FoundDeleted,
	FoundReserved,
	Redeemed,
	Redemption,
	SignIns
} from '#lib/domain/sign-in/ports.ts';
import { placeDevice } from '../devices/place-device.ts';
import { reportNewDevice } from '../devices/report-new-device.ts';
import {
	deleteChallenge,
	deleteOtherChallenges,
	giveGuessBack,
	lockChallenge
} from './challenge-steps.ts';
import { findOrCreateAccount, restore } from './find-or-create-account.ts';
import { sessionColumns } from '../rows.ts';
import { endReplaced, endUnused } from './end-sessions.ts';
import {
	onlyRowOf,
	preparedStep,
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
		yield* giveGuessBack(tx, tables, { id: challengeId });
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
	const [replaced] = yield* endReplaced(tx, tables, redemption.replaces);
	const stay = redemption.sessionsPerAccount - 1;
	const unused = created ? [] : yield* endUnused(tx, tables, { userId: user.id, stay });
	const wasLive = replaced?.userId === user.id && replaced.expiresAt > now;
	const linked = wasLive ? replaced.deviceId : null;
	const { device } = redemption;
	const placed = device && (yield* placeDevice(database, tx, user.id, device, linked));
	const opening = { ...session, userId: user.id, deviceId: placed && placed.id };
	const opened = yield* onlyRowOf(openSession(tx, tables, opening));

	yield* forgetFailures(tx, tables, { email });
	const isReported =
		!created &&
		placed?.wasKnown !== true &&
		(yield* reportNewDevice(tx, tables, user.id, placed, redemption.newDeviceEmails, now));
	const ended = (replaced === undefined ? unused : [replaced, ...unused]).map(({ id }) => id);
	return { kind: 'signed_in', user, session: opened, created, ended, isReported };
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
		yield* giveGuessBack(tx, tables, { id });
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
