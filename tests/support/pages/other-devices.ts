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
	let networks = 0;
	const post = async (path: string, userAgent: string, data: object): Promise<void> => {
		await fetch(`${server.address}/api/auth/${path}`, {
			method: 'POST',
			headers: {
				...headers,
				'content-type': 'application/json',
				'user-agent': userAgent,
				'x-forwarded-for': `2001:db8:${4660 + networks}:5678:9abc:def0:1234:5678`
			},
			body: JSON.stringify(data)
		});
	};
	for (const userAgent of userAgents) {
		networks += 1;
		await post('email-otp/send-verification-otp', userAgent, { email: address });
		const otp = await mail.codeFor(address);
		await post('sign-in/email-otp', userAgent, { email: address, otp });
		// After so long the mailbox gets another code.
		await passTime(8 * 60);
	}
	// The browser's clock agrees with the server's.
	await page.clock.setSystemTime(Date.now() + userAgents.length * 8 * 60_000);
};
