import { eq } from 'drizzle-orm';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlSignIns } from '#lib/adapters/sql/sign-in/sign-ins.ts';
import type { SignIns } from '#lib/domain/sign-in/ports.ts';

/** Counts the devices of the account, signs in, and then makes this one known. */
export const naiveDeviceSignIns = (sql: Sql): SignIns => ({
	redeem: async (redemption) => {
		const { db, tables, run } = sql;
		const { device: t, user } = tables;
		const { device, email } = redemption;
		const isOwn = eq(user.id, t.userId);
		const known = await run(() =>
			db.select({ id: t.id }).from(t).innerJoin(user, isOwn).where(eq(user.email, email))
		);
		const redeemed = await sqlSignIns(sql).redeem({ ...redemption, device: null });
		if (redeemed?.kind !== 'signed_in' || device === null) return redeemed;
		if (known.length >= device.limits.perAccount) return redeemed;
		const { id, keyHash, usedAt } = device;
		const row = { id, keyHash, userId: redeemed.user.id, createdAt: usedAt, usedAt };
		await run(() => db.insert(t).values(row).onConflictDoNothing().returning());
		return redeemed;
	}
});
