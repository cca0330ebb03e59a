import { and, eq } from 'drizzle-orm';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlSessions } from '#lib/adapters/sql/sessions/sessions.ts';
import { sqlSignIns } from '#lib/adapters/sql/sign-in/sign-ins.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { DeviceChange } from '#lib/domain/known-device.ts';
import type { Sessions } from '#lib/domain/sessions/ports.ts';
import type { SignIns } from '#lib/domain/sign-in/ports.ts';

/** Reads the devices, decides, and then writes. */
const naivePlace = async (
	{ db, tables, run }: Sql,
	userId: UserId,
	{ id, keyHash, presentedHashes, usedAt, limits }: DeviceChange
): Promise<void> => {
	const { device: t } = tables;
	const rows = await run(() => db.select().from(t));
	const mine = rows.filter((row) => row.userId === userId);
	const here = rows.filter((row) => presentedHashes.includes(row.keyHash));
	if (mine.length >= limits.perAccount || here.length >= limits.accounts) return;
	for (const row of here) {
		await run(() =>
			db
				.insert(t)
				.values({ ...row, keyHash })
				.onConflictDoUpdate({ target: t.id, set: { keyHash } })
				.returning()
		);
	}
	const row = { id, keyHash, userId, createdAt: usedAt, usedAt };
	await run(() => db.insert(t).values(row).onConflictDoNothing().returning());
};

/** Signs in, then makes the device known. */
export const naiveDeviceSignIns = (sql: Sql, slow: Sql): SignIns => ({
	redeem: async (redemption) => {
		const redeemed = await sqlSignIns(sql).redeem({ ...redemption, device: null });
		const { device } = redemption;
		if (redeemed?.kind === 'signed_in' && device !== null) {
			await naivePlace(slow, redeemed.user.id, device);
		}
		return redeemed;
	}
});

/** Reads which device a session has, then ends both; makes the device known after the refresh. */
export const naiveDeviceSessions = (sql: Sql): Sessions => {
	const { db, tables, run } = sql;
	const { session, device: t } = tables;
	const sessions = sqlSessions(sql);
	return {
		...sessions,
		refresh: async (id, now, dueSince, expiresAt, device = null) => {
			const refreshed = await sessions.refresh(id, now, dueSince, expiresAt);
			if (refreshed === null || device === null) return refreshed;
			await naivePlace(sql, device.userId, device.change);
			const deviceId = device.change.id;
			await run(() => db.update(session).set({ deviceId }).where(eq(session.id, id)).returning());
			return { ...refreshed, usesNewKey: true };
		},
		endOne: async (userId, id) => {
			const isMeant = and(eq(session.id, id), eq(session.userId, userId));
			const [row] = await run(() => db.select().from(session).where(isMeant));
			const deviceId = row?.deviceId ?? null;
			if (deviceId !== null) await run(() => db.delete(t).where(eq(t.id, deviceId)).returning());
			const [ended] = (
				await run(() => db.delete(session).where(isMeant).returning({ id: session.id }))
			).map(({ id }) => id);
			return ended ?? null;
		}
	};
};
