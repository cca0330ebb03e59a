import { call, sendCode, verifyCode } from '../http/client.ts';
import type { Visit } from './visit.ts';

export const FIREFOX =
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

/**
 * Signs the account of this visit in on further devices, each from another network. They keep no
 * key unless `headers` have one.
 */
export const signInOn = async (
	visit: Visit,
	userAgents: readonly string[],
	headers: Readonly<Record<string, string>> = {}
): Promise<void> => {
	const { server, address, mail, page, passTime } = visit;
	for (const [index, userAgent] of userAgents.entries()) {
		const network = `2001:db8:${4661 + index}:5678:9abc:def0:1234:5678`;
		const from = { ...headers, 'user-agent': userAgent, 'x-forwarded-for': network };
		await sendCode(server, address, from);
		await verifyCode(server, address, await mail.codeFor(address), from);
		// After so long the mailbox gets another code.
		await passTime(8 * 60);
	}
	// The browser's clock agrees with the server's.
	await page.clock.setSystemTime(Date.now() + userAgents.length * 8 * 60_000);
};

/** Signs in on one more device, which then signs out. The account still knows it. */
export const signInAndOut = async (visit: Visit): Promise<void> => {
	const { server, address, mail } = visit;
	const from = { 'user-agent': FIREFOX, 'x-postern-client': 'k'.repeat(43) };
	await sendCode(server, address, from);
	const { headers } = await verifyCode(server, address, await mail.codeFor(address), from);
	const authorization = `Bearer ${String(headers['set-auth-token'])}`;
	await call(server, '/api/auth/sign-out', { json: {}, headers: { authorization } });
};
