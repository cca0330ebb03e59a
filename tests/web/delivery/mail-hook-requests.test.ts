import { describe, expect, test } from 'vitest';
import { report, sendCode } from './sent-code.ts';
import { TOPIC } from './sns.ts';
import { ORIGIN, aSite } from '../../support/web/site.ts';

const PASSWORD = 'postern:a-long-random-password-1';
const SETTINGS = { EMAIL_HOOK_POSTMARK: PASSWORD, EMAIL_HOOK_SES: TOPIC };
const headers = { authorization: `Basic ${Buffer.from(PASSWORD).toString('base64')}` };

describe('the webhooks of mail providers', () => {
	test.each(['postmark', 'resend', 'ses', 'mailgun', 'constructor'])(
		'are not found before they are configured: %s',
		async (provider) => {
			expect((await report(await aSite(), provider, '{}', headers)).status).toBe(404);
		}
	);

	test('take JSON only, except from Amazon, which sends it as text', async () => {
		const site = await aSite(SETTINGS);
		const statusOf = async (provider: string, type: string): Promise<number> =>
			(await report(site, provider, '{}', { ...headers, 'content-type': type })).status;
		for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
			expect(await statusOf('postmark', type)).toBe(415);
		}
		expect(await statusOf('ses', 'text/plain; charset=UTF-8')).toBe(400);
		expect(await statusOf('ses', 'text/html')).toBe(415);
	});

	test('refuse a body of more than 64 KiB', async () => {
		const site = await aSite(SETTINGS);
		const body = JSON.stringify({ RecordType: 'x'.repeat(64 * 1024) });
		expect((await report(site, 'postmark', body, headers)).status).toBe(413);
	});

	test('count against the limit of the client', async () => {
		const site = await aSite(SETTINGS);
		const caller = site.visitor();
		const call = () => caller.call('/api/hooks/mail/postmark', { json: {}, headers: {} });
		for (let time = 0; time < 100; time += 1) expect((await call()).status).toBe(401);
		expect((await call()).status).toBe(429);
	});

	test('take no other method, and no request from another site', async () => {
		const site = await aSite(SETTINGS);
		const path = '/api/hooks/mail/postmark';
		const read = await site.visitor().call(path);
		expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
		const foreign = { ...headers, origin: 'https://evil.example' };
		expect((await site.visitor().call(path, { json: {}, headers: foreign })).status).toBe(403);
		const own = { ...headers, origin: ORIGIN };
		expect((await site.visitor().call(path, { json: {}, headers: own })).status).toBe(400);
	});

	test('are sent again by the provider when the database is down', async () => {
		const site = await aSite(SETTINGS);
		site.breakStore('challenges.markBounced');
		const { email, name } = await sendCode(site);
		const event = { RecordType: 'Bounce', Type: 'HardBounce', Email: email };
		const at = { BouncedAt: site.clock.now(), Metadata: { 'message-id': name } };
		const body = JSON.stringify({ ...event, ...at });
		expect((await report(site, 'postmark', body, headers)).status).toBe(503);
		site.repairStore();
		expect((await report(site, 'postmark', body, headers)).status).toBe(200);
	});
});
