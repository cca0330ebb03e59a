import type { Email } from '#lib/domain/email.ts';
import type { PurchaseId } from '#lib/domain/ids.ts';
import type { PurchaseReference } from '#lib/domain/purchases/ports.ts';
import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { openStorage } from './scale/pair.ts';

/** The protected page shows these, so each account has all of them. */
const PRODUCTS = ['Garden shears', 'A year of the newsletter', 'Watering can'];

/** Records the purchases of these accounts as the payment webhook of an application does. */
export const buy = async (databaseUrl: string, emails: readonly string[]): Promise<void> => {
	const { purchases, close } = await openStorage(databaseUrl);
	try {
		for (const email of emails) {
			for (const product of PRODUCTS) {
				await purchases.record({
					id: randomUUID() as PurchaseId,
					email: email as Email,
					userId: null,
					reference: randomUUID() as string as PurchaseReference,
					product,
					status: 'paid',
					createdAt: new Date()
				});
			}
		}
	} finally {
		await close();
	}
};

/** The same in the table of the peer, which has no purchases of its own. */
export const buyAtPeer = (file: string, emails: readonly string[]): void => {
	const database = new Database(file);
	const insert = database.prepare(
		`insert into purchase (id, userId, product, status, createdAt)
			select ?, id, ?, 'paid', ? from user where email = ?`
	);
	database.transaction(() => {
		for (const email of emails) {
			for (const product of PRODUCTS) insert.run(randomUUID(), product, Date.now(), email);
		}
	})();
	database.close();
};
