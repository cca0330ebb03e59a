import { compose } from '#lib/app.server.ts';
import { readConfig } from '#lib/config.server.ts';
import { TEST_SECRET, type BuiltServer } from '../process/built-server.ts';

/**
 * Records a purchase in the database of a server, as a payment webhook would; returns the URL that
 * claims it.
 */
export const purchaseFor = async (
	server: BuiltServer,
	email: string,
	product: string
): Promise<string> => {
	const config = readConfig({
		AUTH_SECRET: TEST_SECRET,
		AUTH_URL: server.address,
		DATABASE_URL: server.databaseUrl
	});
	if (!config.ok) throw new Error('these settings suffice');
	const app = await compose(config.value);
	try {
		const recorded = await app.recordPurchase({ email, product });
		if (!recorded.ok) throw new Error(`no address: ${email}`);
		return `/checkout/success?reference=${recorded.value.reference}`;
	} finally {
		await app.close();
	}
};
