import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { report, sendCode, type SentCode } from './sent-code.ts';
import { aSignedInSite, enterCode } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer } from '../../support/web/visitor.ts';

const SECRET = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`;
const PASSWORD = 'postern:a-long-random-password-1';
const SETTINGS = { EMAIL_HOOK_RESEND: SECRET, EMAIL_HOOK_POSTMARK: PASSWORD };
const DONE = [200, '{"success":true}'];

const outcome = ({ status, text }: Answer): unknown[] => [status, text];

const resendBody = ({ email, name }: SentCode, at: Date, type = 'email.bounced'): string =>
	JSON.stringify({
		type,
		created_at: at.toISOString(),
		data: {
			email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
			message_id: `<${name}@example.org>`,
			to: [email],
			...(type === 'email.bounced' && { bounce: { type: 'Permanent', subType: 'General' } })
		}
	});

/** The headers with which Resend signs. Its library compares the time with the system's clock. */
const signature = (body: string, at = new Date(), secret = SECRET): Record<string, string> => ({
	'svix-id': 'msg_1',
	'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
	'svix-signature': new Webhook(secret).sign('msg_1', at, body)
});

const postmarkBody = ({ email, name }: SentCode, at: Date, more: object = {}): string =>
	JSON.stringify({
		RecordType: 'Bounce',
		Type: 'HardBounce',
		Email: email,
		BouncedAt: at.toISOString(),
		Metadata: { 'message-id': name },
		...more
	});

const basic = (credentials = PASSWORD): Record<string, string> => ({
	authorization: `Basic ${Buffer.from(credentials).toString('base64')}`
});

const bounceOf = (site: Site, code: SentCode, type?: string): Promise<Answer> => {
	const body = resendBody(code, site.clock.now(), type);
	return report(site, 'resend', body, signature(body));
};

describe('a webhook of Resend', () => {
	test.each([
		['email.bounced', 'mail_bounced', true],
		['email.suppressed', 'mail_bounced', true],
		['email.complained', 'mail_complained', false]
	])('tells the browser that requested the code of %s: %s, %j', async (type, name, isBounced) => {
		const site = await aSite(SETTINGS);
		const code = await sendCode(site);
		expect(await code.isBounced()).toBe(false);
		expect(outcome(await bounceOf(site, code, type))).toEqual(DONE);
		expect(await code.isBounced()).toBe(isBounced);
		expect(site.log).toContainEqual(
			expect.objectContaining({ name, provider: 'resend', isOurs: true })
		);
		expect((await enterCode(site, code.visitor, code.email)).status).toBe(303);
	});

	test.each([
		['of another secret', (body: string) => signature(body, undefined, `whsec_${'b'.repeat(43)}=`)],
		['of six minutes ago', (body: string) => signature(body, new Date(Date.now() - 360_000))],
		['of another body', (body: string) => signature(`${body} `)],
		['that is missing', () => ({})],
		['that is empty', (body: string) => ({ ...signature(body), 'svix-signature': '' })],
		['of no known version', (body: string) => ({ ...signature(body), 'svix-signature': 'v1' })]
	])('is refused with a signature %s', async (_what, headersOf) => {
		const site = await aSite(SETTINGS);
		const code = await sendCode(site);
		const body = resendBody(code, site.clock.now());
		expect((await report(site, 'resend', body, headersOf(body))).status).toBe(401);
		expect(await code.isBounced()).toBe(false);
		expect(site.log).toContainEqual(
			expect.objectContaining({ name: 'mail_hook_refused', reason: 'forged' })
		);
	});

	test('has no effect when it is replayed: the next code is shown as sent', async () => {
		const site = await aSite(SETTINGS);
		const code = await sendCode(site);
		await bounceOf(site, code);
		site.clock.advance(60);
		await code.visitor.post('/auth/sign-in?/resend', { email: code.email });
		expect(await code.isBounced()).toBe(false);
		expect(outcome(await bounceOf(site, code))).toEqual(DONE);
		expect(await code.isBounced()).toBe(false);
	});

	test.each([
		['a temporary bounce', { bounce: { type: 'Transient' } }, 'email.bounced'],
		['another kind of event', {}, 'email.delivered'],
		['an event without a Message-ID', { message_id: undefined }, 'email.bounced']
	])('is accepted without an effect: %s', async (_what, data, type) => {
		const site = await aSite(SETTINGS);
		const code = await sendCode(site);
		const event = JSON.parse(resendBody(code, site.clock.now())) as { data: object };
		const body = JSON.stringify({ ...event, type, data: { ...event.data, ...data } });
		expect(outcome(await report(site, 'resend', body, signature(body)))).toEqual(DONE);
		expect(await code.isBounced()).toBe(false);
	});

	test.each(['', 'no JSON', '[]', '{"type":1}'])('is refused with the body %j', async (body) => {
		const site = await aSite(SETTINGS);
		expect((await report(site, 'resend', body, signature(body))).status).toBe(400);
	});
});

describe('a webhook of Postmark', () => {
	test('marks the email that bounced', async () => {
		const site = await aSite(SETTINGS);
		const other = { authorization: String(basic().authorization).replace('Basic', 'basic ') };
		for (const Type of ['HardBounce', 'BadEmailAddress']) {
			const code = await sendCode(site);
			const body = postmarkBody(code, site.clock.now(), { Type });
			expect(
				outcome(await report(site, 'postmark', body, Type === 'HardBounce' ? basic() : other))
			).toEqual(DONE);
			expect(await code.isBounced()).toBe(true);
		}
	});

	test.each([
		['a wrong password', basic(`${PASSWORD}2`)],
		['a part of the password', basic(PASSWORD.slice(0, -1))],
		['none', {}],
		['more before them', { authorization: `Other ${basic().authorization}` }],
		['more after them', { authorization: `${basic().authorization}, more` }],
		['another scheme', { authorization: `Bearer ${PASSWORD}` }],
		['no valid base64', { authorization: 'Basic %%%' }]
	])('is refused with %s as credentials', async (_what, headers) => {
		const site = await aSite(SETTINGS);
		const code = await sendCode(site);
		const body = postmarkBody(code, site.clock.now());
		expect((await report(site, 'postmark', body, headers)).status).toBe(401);
		expect(await code.isBounced()).toBe(false);
	});

	test.each([
		['a soft bounce', { Type: 'SoftBounce' }],
		['another record', { RecordType: 'Delivery' }],
		['no recipient', { Email: undefined }],
		['no time', { BouncedAt: undefined }],
		['the email of another system', { Metadata: {} }]
	])('is accepted without an effect: %s', async (_what, more) => {
		const site = await aSite(SETTINGS);
		const code = await sendCode(site);
		const body = postmarkBody(code, site.clock.now(), more);
		expect(outcome(await report(site, 'postmark', body, basic()))).toEqual(DONE);
		expect(await code.isBounced()).toBe(false);
	});

	test('withdraws the consent to news after a complaint, but not again when it is replayed', async () => {
		const { site, email, visitor } = await aSignedInSite(SETTINGS);
		const consent = () => visitor.api('/api/marketing-consent', { method: 'POST', json: {} });
		const given = () => [...site.tables.userData.values()].map((row) => row.marketingOptIn);
		await consent();
		site.clock.advance(60);
		const code = await sendCode(site, email);
		const complaint = { RecordType: 'SpamComplaint', Type: 'SpamComplaint' };
		const body = postmarkBody(code, site.clock.now(), complaint);
		await report(site, 'postmark', body, basic());
		expect(given()).toEqual([false]);
		expect(await code.isBounced()).toBe(false);
		site.clock.advance(60);
		await consent();
		expect(outcome(await report(site, 'postmark', body, basic()))).toEqual(DONE);
		expect(given()).toEqual([true]);
	});
});
