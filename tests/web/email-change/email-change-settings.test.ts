import { describe, expect, test } from 'vitest';
import { aSignedInSite, bearer, newAddress, signIn } from '../../support/web/sign-in.ts';
import type { Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const BY_CODE = '/api/auth/email-otp/request-email-change';
const CHANGE = '/api/auth/email-otp/change-email';
const BY_LINK = '/api/auth/change-email';
const PAGE = '/auth/verify-email';
type Way = 'code' | 'link';

/** Everything in an answer except its id. */
const shown = ({ status, headers, text }: Answer): object => {
	const { 'x-request-id': _, ...rest } = Object.fromEntries(headers);
	return { status, headers: rest, text };
};

const ask = async (visitor: Visitor, way: Way, newEmail: string): Promise<void> => {
	const path = way === 'code' ? BY_CODE : BY_LINK;
	const answer = await visitor.api(path, { json: { newEmail } });
	expect(answer.status).toBe(200);
};
const changeByCode = (visitor: Visitor, newEmail: string, otp: string): Promise<Answer> =>
	visitor.api(CHANGE, { json: { newEmail, otp } });
/** Opens the link in a browser and presses the button. */
const confirm = async (visitor: Visitor, token: string): Promise<Answer> => {
	await visitor.open(`${PAGE}?token=${encodeURIComponent(token)}`);
	return visitor.post(`${PAGE}?/confirm`);
};

const changedBy = async (site: Site, visitor: Visitor, way: Way): Promise<string> => {
	const to = newAddress('new');
	await ask(visitor, way, to);
	if (way === 'code') {
		const answer = await changeByCode(visitor, to, await site.codeFor(to));
		expect(answer.status).toBe(200);
	} else {
		const { status, location } = await confirm(visitor, await site.linkFor(to));
		expect([status, location]).toEqual([303, '/settings']);
	}
	return to;
};
const noticesTo = async (site: Site, email: string): Promise<readonly string[]> =>
	(await site.mailsTo(email)).flatMap((mail) =>
		mail.kind === 'email_change_notice' ? [mail.stage] : []
	);

describe.each([
	['after, the default', {}, { code: ['completed'], link: ['completed'] }],
	[
		'before,after',
		{ EMAIL_CHANGE_NOTICE: 'before,after' },
		{ code: ['completed'], link: ['requested', 'completed'] }
	],
	['before', { EMAIL_CHANGE_NOTICE: 'before' }, { code: [], link: ['requested'] }],
	['off', { EMAIL_CHANGE_NOTICE: 'off' }, { code: [], link: [] }]
] as const)('K11 notices: %s', (_, env: Record<string, string>, expected) => {
	test.each(['code', 'link'] as const)(
		'K11 a change by %s notifies the old address at these moments, once each, and no other address',
		async (way) => {
			const { site, visitor, email } = await aSignedInSite(env);
			const to = await changedBy(site, visitor, way);
			expect(await noticesTo(site, email)).toEqual(expected[way]);
			expect(await noticesTo(site, to)).toEqual([]);
		}
	);
});

describe('with EMAIL_CHANGE_LINK=off', () => {
	const env = { EMAIL_CHANGE_LINK: 'off', EMAIL_CHANGE_NOTICE: 'before,after' };

	test('change-email returns VERIFICATION_EMAIL_NOT_ENABLED before any lookup', async () => {
		const { site, email, token } = await aSignedInSite(env);
		const { email: taken } = await signIn(site);
		site.tables.throttle.clear();
		const before = structuredClone(site.tables);
		const answers: Answer[] = [];
		for (const newEmail of [newAddress('free'), taken, email, 'nobody', '', 'a@@b']) {
			for (let count = 0; count < 6; count += 1) {
				const json = { newEmail, callbackURL: '/app' };
				// Each from another client, whose limit is 20 sends a minute.
				const client = site.visitor();
				answers.push(await client.call(BY_LINK, { json, headers: bearer(token) }));
			}
		}
		for (const answer of answers) {
			expect([answer.status, answer.json()]).toEqual([
				400,
				{ message: "Verification email isn't enabled", code: 'VERIFICATION_EMAIL_NOT_ENABLED' }
			]);
			expect(shown(answer)).toEqual(shown(answers[0] as Answer));
		}
		expect(site.tables).toEqual(before);
	});

	test.each([
		['as before', (to: string) => to],
		['in capital letters', (to: string) => to.toUpperCase()]
	])('the settings send the code of a change by an app again, typed %s', async (_, typed) => {
		const { site, visitor } = await aSignedInSite(env);
		const to = newAddress('new');
		await ask(visitor, 'code', to);
		const { location } = await visitor.post('/settings?/requestEmailChange', { email: typed(to) });
		expect(location).toBe('/settings#email');
		expect((await visitor.open('/settings')).data).toMatchObject({
			report: 'sent-again',
			email: { waiting: { to, way: 'code' } }
		});
		const kinds = (await site.mailsTo(to)).map(({ kind }) => kind);
		expect(kinds).toEqual(['email_change_code', 'email_change_code']);
		expect((await changeByCode(visitor, to, await site.codeFor(to))).status).toBe(200);
	});
});
