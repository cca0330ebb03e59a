import { randomBytes } from 'node:crypto';
import { compose } from '#lib/app.server.ts';
import { readConfig } from '#lib/config.server.ts';
import { NO_NAME, newBrowserKey, type UserId } from '#lib/domain/index.ts';

// Runs in a copy of the project: signs up, then signs in again, over the use-cases and a new SQLite
// database. Prints both users as JSON.

const DATABASE = 'file:./signed-in.db';

const printed: string[] = [];
const config = readConfig({
	AUTH_SECRET: randomBytes(33).toString('base64'),
	AUTH_URL: 'http://localhost:3000',
	DATABASE_URL: DATABASE
});
if (!config.ok) throw new Error(JSON.stringify(config.error));
const print = console.log;
console.log = (line: string) => void printed.push(line);
const app = await compose(config.value);

const device = { ipAddress: '192.0.2.1', userAgent: 'a browser' };
const sender = { network: app.networkOf(device.ipAddress), sendProof: null };

const signIn = async (email: string): Promise<UserId> => {
	const browser = newBrowserKey(app.random);
	await app.requestCode({ email, purpose: 'sign_in', browser, device, sender });
	const [code = ''] =
		/\d{6}$/.exec(printed.findLast((line) => line.includes('sign-in code')) ?? '') ?? [];
	const entered = await app.verifyCode({
		...{ email, code, browser, device, sender, currentToken: null, ifDeleted: 'refuse' },
		profile: { name: NO_NAME, image: null }
	});
	if (!entered.ok) throw new Error(entered.error.code);
	const read = await app.readSession({ token: entered.value.token, mayRefresh: true });
	if (read === null) throw new Error('no session');
	return read.user.id;
};

const users = [await signIn('ada@example.com'), await signIn('ada@example.com')];
await app.close();
print(JSON.stringify(users));
