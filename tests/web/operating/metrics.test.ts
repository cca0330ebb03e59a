import { expect, test } from 'vitest';
import {
	aSignedInSite,
	enterCode,
	newAddress,
	requestCode,
	SEND,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';

const TOKEN = 'mW5nY8cR3tB7kL1xJ6hG9fD2sA4pZ0qV-uE_iO';
const aMeteredSite = (): Promise<Site> => aSite({ METRICS_TOKEN: TOKEN });

const METRICS = '/metrics';
const scrape = async (site: Site): Promise<readonly string[]> => {
	const { status, text } = await site
		.visitor()
		.call(METRICS, { headers: { authorization: `bearer ${TOKEN}` } });
	expect(status).toBe(200);
	return text.split('\n');
};

test('without a token the path does not exist', async () => {
	const { site, visitor } = await aSignedInSite();
	for (const person of [visitor, site.visitor()]) {
		const [one, other] = [await person.open(METRICS), await person.open('/no-such-page')];
		expect(one.status).toBe(other.status);
		expect(one.location).toBe(other.location?.replace('no-such-page', 'metrics') ?? null);
	}
});

test.each([
	['none', null],
	['a wrong token', `Bearer ${TOKEN}x`],
	['the beginning of it', `Bearer ${TOKEN.slice(0, -1)}`],
	['another scheme', `Basic ${TOKEN}`],
	['two tokens', `Bearer ${TOKEN}, Bearer ${TOKEN}`]
])('N07: %s gets 401 and a line in the log, also in a session', async (_, authorization) => {
	const site = await aMeteredSite();
	const { visitor } = await signIn(site);
	const refused = await visitor.open(METRICS, authorization === null ? {} : { authorization });
	expect([refused.status, refused.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
	expect(refused.headers.get('www-authenticate')).toBe('Bearer');
	expect(site.log.at(-1)).toEqual({ name: 'metrics_refused', client: expect.any(String) });
});

test('it reads only: another method gets 405', async () => {
	const headers = { authorization: `Bearer ${TOKEN}` };
	const site = await aMeteredSite();
	const posted = await site.visitor().call(METRICS, { method: 'POST', headers });
	expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('requests are counted by the id of their route, never by their path', async () => {
	const site = await aMeteredSite();
	await site.visitor().open('/auth/undo-email-change/secret-token');
	await site.visitor().open('/secret-page');
	const lines = await scrape(site);
	const counted = (route: string, status: number): string =>
		`http_request_duration_seconds_count{route="${route}",status="${status}"} 1`;
	expect(lines).toContain(counted('/auth/undo-email-change/[token]', 200));
	expect(lines).toContain(counted('none', 303));
	expect(lines.join('\n')).not.toContain('secret');
});

test('codes are counted by outcome and by a large provider or "other"', async () => {
	const site = await aMeteredSite();
	const app = site.visitor();
	const email = 'Ada.Metrics@GMail.com';
	await app.call(SEND, { json: { email, type: 'sign-in' } });
	await app.call(VERIFY, { json: { email, otp: '000000' } });
	site.clock.advance(25);
	await app.call(VERIFY, { json: { email, otp: await site.codeFor(email.toLowerCase()) } });
	const visitor = site.visitor();
	const other = newAddress();
	await requestCode(visitor, other);
	await enterCode(site, visitor, other);
	await app.call(SEND, { json: { email: 'nobody', type: 'sign-in' } });
	const lines = await scrape(site);
	const counted = (event: string, outcome: string, provider: string): string =>
		`postern_events_total{event="${event}",outcome="${outcome}",provider="${provider}"} 1`;
	expect(lines).toEqual(
		expect.arrayContaining([
			counted('code_requested', 'ok', 'Gmail'),
			counted('code_requested', 'ok', 'other'),
			counted('code_requested', 'invalid_email', 'other'),
			counted('code_entered', 'invalid_code', 'Gmail'),
			counted('code_entered', 'ok', 'Gmail'),
			'postern_code_entry_seconds_sum{provider="Gmail"} 25',
			'postern_code_entry_seconds_bucket{le="20",provider="Gmail"} 0',
			'postern_code_entry_seconds_bucket{le="30",provider="Gmail"} 1'
		])
	);
});

test('it shows the outbox, the cache, the stores, and the other events', async () => {
	const site = await aMeteredSite();
	expect(await scrape(site)).toContain('postern_outbox_oldest_seconds 0');
	// The welcome stays in the outbox.
	site.breakStore('outboxRows.lease');
	const { visitor } = await signIn(site);
	site.clock.advance(90);
	await visitor.open('/app');
	await site
		.visitor()
		.call('/api/auth/sign-out', { method: 'POST', headers: { origin: 'https://evil.example' } });
	const lines = await scrape(site);
	expect(lines).toContain('postern_outbox_emails 1');
	expect(lines).toContain('postern_outbox_oldest_seconds 90');
	expect(lines).toContain('postern_cached_sessions 1');
	expect(lines).toContain('postern_events_total{event="origin_refused"} 1');
	expect(lines.join('\n')).toContain(
		'postern_store_duration_seconds_count{operation="signIns.redeem"} 1'
	);
});

test('without the database it shows the other numbers', async () => {
	const site = await aMeteredSite();
	site.breakStore('outboxRows.backlog');
	const lines = await scrape(site);
	expect(lines).toContain('postern_outbox_emails Nan');
	expect(lines).toContain('postern_cached_sessions 0');
});
