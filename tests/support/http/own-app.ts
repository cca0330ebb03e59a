import { compose, type App } from '#lib/app.server.ts';
import { readConfig } from '#lib/config.server.ts';
import { TEST_SECRET, type BuiltServer } from '../process/built-server.ts';

/** Runs work with the application on the database of a server, as an operator’s command does. */
export const withOwnApp = async <T>(
	{ address, databaseUrl }: Pick<BuiltServer, 'address' | 'databaseUrl'>,
	work: (app: App) => Promise<T>
): Promise<T> => {
	const config = readConfig({
		AUTH_SECRET: TEST_SECRET,
		AUTH_URL: address,
		DATABASE_URL: databaseUrl
	});
	if (!config.ok) throw new Error('these settings suffice');
	const app = await compose(config.value);
	try {
		return await work(app);
	} finally {
		await app.close();
	}
};

/** Records a purchase, as a payment webhook would; returns the URL that claims it. */
export const purchaseFor = (server: BuiltServer, email: string, product: string): Promise<string> =>
	withOwnApp(server, async (app) => {
		const recorded = await app.recordPurchase({ email, product });
		if (!recorded.ok) throw new Error(`no address: ${email}`);
		return `/checkout/success?reference=${recorded.value.reference}`;
	});
