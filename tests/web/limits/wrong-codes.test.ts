import { describe, expect, test } from 'vitest';
import { fixedClock } from '../../support/memory/drivers.ts';
import { networkWrongCodes } from '#lib/adapters/web/edge/limits/network-wrong-codes.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { aNetwork } from '../../support/domain/builders.ts';
import { wrong } from '../../support/domain/fixture.ts';
import { formAction, newAddress, requestCode, SEND, VERIFY } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const CHECK = '/api/auth/email-otp/check-verification-otp';
const PAGE = '/auth/sign-in';

/** A client of the attacker's network. Each has limits of its own. */
const neighbour = (site: Site, host: number, like?: Visitor): Visitor =>
	site.visitor(like, `198.51.100.${host}`);

/** A new email address that a code was sent to, by another network. */
const pending = async (site: Site): Promise<{ email: string; otp: string }> => {
	const email = newAddress();
	await site.visitor().call(SEND, { json: { email } });
	return { email, otp: await site.codeFor(email) };
};

const check = (client: Visitor, path: string, json: object): Promise<Answer> =>
	client.call(path, { json: { type: 'sign-in', ...json } });

/** Enters wrong codes in the attacker's network, five for each email address. */
const guess = async (site: Site, times: number): Promise<readonly number[]> => {
	const statuses: number[] = [];
	while (statuses.length < times) {
		const { email, otp } = await pending(site);
		const client = neighbour(site, statuses.length);
		for (let at = 0; at < 5 && statuses.length < times; at += 1) {
			const { status } = await check(client, VERIFY, { email, otp: wrong(otp) });
			statuses.push(status);
		}
	}
	return statuses;
};

const attemptsOf = ({ tables }: Site, email: string): number | undefined =>
	[...tables.challenges.values()].find((row) => row.email === email)?.attemptsUsed;

describe('after 30 wrong codes from a network', () => {
	test('A17 its unknown clients get 429 for each check, which costs no attempt; other networks go on', async () => {
		const site = await aSite();
		const { email, otp } = await pending(site);
		site.clock.advance(100);
		expect(await guess(site, 30)).toEqual(Array(30).fill(400));
		const paths = [VERIFY, CHECK, '/api/auth/email-otp/verify-email'];
		for (const [host, path] of [...paths, ...paths].entries()) {
			const json = { email, otp: host < paths.length ? otp : wrong(otp) };
			const refused = await check(neighbour(site, 100 + host), path, json);
			expect([refused.status, refused.headers.get('retry-after'), refused.json()]).toEqual([
				429,
				'600',
				{ message: 'Too many requests. Please try again later.', code: 'TOO_MANY_REQUESTS' }
			]);
		}
		expect(attemptsOf(site, email)).toBe(0);
		expect((await check(site.visitor(), VERIFY, { email, otp })).status).toBe(200);
	});

	test('a form says why and when to come back, and keeps its page', async () => {
		const site = await aSite();
		const visitor = neighbour(site, 200);
		const email = newAddress();
		await requestCode(visitor, email);
		await guess(site, 30);
		site.clock.advance(10);
		const fields = { email, code: await site.codeFor(email) };
		const refused = await visitor.post(formAction(PAGE, 'verify'), fields);
		const text = messages.errors.tooManyWrongCodes;
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '590']);
		expect(refused.form).toMatchObject({
			form: {
				id: 'code',
				data: fields,
				errors: { _errors: [text] },
				message: { puzzle: null, wait: { seconds: 590, reason: text, endsOnEdit: true } }
			}
		});
		expect(refused.data['step']).toBe('code');
	});
});

describe('the counter of wrong codes', () => {
	const aCounter = () => {
		const clock = fixedClock();
		const lines: unknown[] = [];
		const log = (event: string, counts: object): void => void lines.push({ event, ...counts });
		const { monotonic } = clock;
		return { clock, lines, counter: networkWrongCodes({ monotonic, policy: defaultPolicy, log }) };
	};
	const NETWORK = aNetwork('one');

	test('its window of ten minutes slides, and refused checks do not prolong it', () => {
		const { counter, clock } = aCounter();
		for (let at = 0; at < 30; at += 1) {
			counter.countCheck(NETWORK);
			counter.endCheck(NETWORK, true);
			clock.advance(10);
		}
		expect(counter.countCheck(NETWORK)).toBe(300);
		// M13: setting the clock changes nothing.
		clock.jump(86_400);
		expect(counter.countCheck(NETWORK)).toBe(300);
		clock.advance(300);
		expect([counter.countCheck(NETWORK), counter.countCheck(NETWORK)]).toEqual([null, 10]);
	});

	test('more than 60 in a minute are one line of the log, and so are those of the next minute', () => {
		const { counter, clock, lines } = aCounter();
		const linesAfter = (wrongCodes: number): number => {
			for (let at = 0; at < wrongCodes; at += 1) counter.endCheck(NETWORK, true);
			return lines.length;
		};
		expect([linesAfter(60), linesAfter(1), linesAfter(100)]).toEqual([0, 1, 1]);
		clock.advance(60);
		expect([linesAfter(60), linesAfter(1)]).toEqual([1, 2]);
		expect(lines).toEqual([{ event: 'many_wrong_codes' }, { event: 'many_wrong_codes' }]);
	});
});
