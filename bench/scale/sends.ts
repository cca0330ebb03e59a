import { randomInt, randomUUID } from 'node:crypto';
import type { Email } from '#lib/domain/email.ts';
import { defaultPolicy, withEmailBudget } from '#lib/domain/policy.ts';
import { startMailProcess } from '../soak/mail-process.ts';
import { startPostern } from '../server-process.ts';
import { drive } from './drive.ts';
import { openStorage, type Pair } from './pair.ts';
import { compare, type Comparison } from './rounds.ts';
import { deviceKeyOf, knownAddress, networkOf } from './rows.ts';

const AT_THE_PORT = 400;
const THROUGH_THE_SERVER = 150;
const CONNECTIONS = 8;
/** How far the clock advances between rounds, in milliseconds. */
const HOUR = 3_600_000;

/** Alternates between new addresses and existing ones. Uses the existing ones in turn. */
const addresses = (rows: number): (() => Email) => {
	let count = 0;
	return () => {
		count += 1;
		if (count % 2 === 0) return knownAddress((count / 2) % rows);
		return `${randomUUID()}@example.com` as Email;
	};
};

const policy = withEmailBudget(defaultPolicy, 5_000_000);

/** Calls `Throttle.hit`, one call after another, with a limit and from networks with counts. */
export const sendsAtPort = (pair: Pair, rounds: number): Promise<Comparison> =>
	compare('send counted at the port', pair, rounds, async ({ databaseUrl, rows }) => {
		const { throttle, close } = await openStorage(databaseUrl);
		const next = addresses(rows);
		let now = Date.now();
		const round = async (): Promise<number> => {
			now += HOUR;
			const sends = Array.from({ length: AT_THE_PORT }, () => ({
				email: next(),
				now: new Date(now),
				knownAs: null,
				isKnown: false,
				network: networkOf(randomInt(rows))
			}));
			const began = performance.now();
			for (const send of sends) {
				const { kind } = await throttle.hit(send, policy);
				if (kind !== 'allowed') throw new Error('a send was refused');
			}
			return ((performance.now() - began) * 1000) / sends.length;
		};
		return { round, close };
	});

/** The Cookie header of the next client. */
const COOKIES = {
	'send code': () => ({}),
	/** Of a device of another account, so that no account reaches its limit. The lookup is the same. */
	'send code, with a device key': (rows: number) => ({
		cookie: `postern_device=${deviceKeyOf(randomInt(rows))}`
	})
};

/** Requests codes. The server responds when the mail server has accepted the email. */
export const sendsThroughServer = async (
	what: keyof typeof COOKIES,
	pair: Pair,
	rounds: number
): Promise<Comparison> => {
	const mail = await startMailProcess();
	try {
		return await compare(what, pair, rounds, async ({ databaseUrl, rows }) => {
			const { url, stop } = await startPostern({ databaseUrl, smtpPort: mail.port });
			const next = addresses(rows);
			const round = (): Promise<number> =>
				drive({
					url,
					path: '/api/auth/email-otp/send-verification-otp',
					amount: THROUGH_THE_SERVER,
					connections: CONNECTIONS,
					next: () => ({
						headers: COOKIES[what](rows),
						json: { email: next(), type: 'sign-in' }
					})
				});
			return { round, close: stop };
		});
	} finally {
		mail.stop();
	}
};
