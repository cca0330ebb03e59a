import { describe, expect, test } from 'vitest';
import { wrong } from '../../support/domain/fixture.ts';
import { signIn } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const PAGE = '/settings/export';
const FILE = '/settings/export/file';
const HOUR = 3600;

const exported = async (visitor: Visitor, fields: Readonly<Record<string, string>> = {}) => {
	const { status, headers, location, text } = await visitor.post(FILE, fields);
	const isFile = headers.get('content-disposition')?.startsWith('attachment') === true;
	return { status, location, data: isFile ? (JSON.parse(text) as Record<string, unknown>) : null };
};

const later = async (site: Site) => {
	const signedIn = await signIn(site);
	site.clock.advance(HOUR);
	return signedIn;
};

describe('the export', () => {
	test('soon after the sign-in, it is one press, and has everything that is stored', async () => {
		const site = await aSite();
		const { visitor, email } = await signIn(site);
		await visitor.post('/settings?/agree');
		await site.app.recordPurchase({ email, product: 'a book' });
		expect((await visitor.open(PAGE)).data).toMatchObject({ email, isProven: true });
		const { status, data } = await exported(visitor);
		expect(status).toBe(200);
		const client = { ipAddress: expect.any(String), userAgent: '' };
		expect(data).toMatchObject({
			account: { email, deletedAt: null, marketingOptIn: true },
			sessions: [client],
			devices: [{ isKnown: true }],
			consent: [{ action: 'granted', email }],
			purchases: [{ product: 'a book', email }],
			events: [{ kind: 'exported' }, { kind: 'consent_granted' }, { kind: 'signed_up' }]
		});
		expect(JSON.stringify(data)).not.toContain('tokenHash');
	});

	test('repeating it within an hour adds no further event', async () => {
		const site = await aSite();
		const { visitor } = await signIn(site);
		for (let turn = 0; turn < 3; turn += 1) await exported(visitor);
		const kinds = [...site.tables.events.values()].map(({ kind }) => kind);
		expect(kinds).toEqual(['signed_up', 'exported']);
	});

	test('later it needs a code to the email address, which gives a permit for this session', async () => {
		const site = await aSite();
		const { visitor, email } = await later(site);
		expect((await visitor.open(PAGE)).data).toMatchObject({ isProven: false });
		expect(await exported(visitor)).toMatchObject({ status: 303, location: `${PAGE}?late` });

		const sent = await visitor.post(`${PAGE}?/sendCode`);
		expect([sent.status, sent.form]).toEqual([200, { isSent: true }]);
		expect((await site.mailsTo(email)).at(-1)).toMatchObject({ kind: 'email_verification_code' });
		const code = await site.codeFor(email);
		const refused = await visitor.post(`${PAGE}?/enterCode`, { code: wrong(code) });
		expect([refused.status, refused.form]).toMatchObject([
			400,
			{ isSent: true, refused: expect.any(String) }
		]);
		const entered = await visitor.post(`${PAGE}?/enterCode`, { code });
		const { permit } = entered.form as { permit: string };
		expect(await exported(visitor, { permit })).toMatchObject({ data: { account: { email } } });

		const other = await later(site);
		expect((await exported(other.visitor, { permit })).data).toBeNull();
		const [until = '', signature = ''] = permit.split('.');
		const forged = `${Number(until) + 1}.${signature}`;
		expect((await exported(visitor, { permit: forged })).data).toBeNull();
		site.clock.advance(HOUR);
		expect((await exported(visitor, { permit })).data).toBeNull();
	});

	test('what is not a form is refused', async () => {
		const { visitor } = await signIn(await aSite());
		expect((await visitor.api(FILE, { json: {} })).status).toBe(415);
		expect((await visitor.api(FILE, { method: 'POST' })).status).toBe(415);
	});

	test('without a session there is nothing', async () => {
		const site = await aSite();
		const visitor = site.visitor();
		expect((await visitor.open(PAGE)).status).toBe(303);
		expect((await exported(visitor)).data).toBeNull();
	});
});
