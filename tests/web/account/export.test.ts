import { describe, expect, test } from 'vitest';
import { aSignedInSite, enterCode, requestCode, signIn } from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const FILE = '/settings/export';

const exported = async (visitor: Visitor) => {
	const { status, headers, location, text } = await visitor.post(FILE);
	const isFile = headers.get('content-disposition') === 'attachment; filename="account.json"';
	if (isFile) {
		expect([headers.get('content-type'), text.slice(0, 4)]).toEqual(['application/json', '{\n\t"']);
	}
	return { status, location, data: isFile ? (JSON.parse(text) as Record<string, unknown>) : null };
};

describe('the export', () => {
	test('soon after the sign-in, it is one press, and has everything that is stored', async () => {
		const { site, visitor, email } = await aSignedInSite();
		await visitor.post('/settings?/grantConsent');
		await site.app.recordPurchase({ email, product: 'a book' });
		const user = site.userOf(email);
		site.tables.users.set(user.id, { ...user, role: 'operator' });
		const { status, data } = await exported(visitor);
		expect(status).toBe(200);
		const state = { deletedAt: null, blockedAt: null };
		const source = { ipAddress: expect.any(String), userAgent: '' };
		expect(data).toMatchObject({
			account: { email, ...state, role: 'operator', marketingOptIn: true },
			sessions: [source],
			devices: [{ isKnown: true, email, createdAt: expect.any(String) }],
			consent: [{ action: 'granted', email }],
			purchases: [{ product: 'a book', email }],
			events: [{ kind: 'exported' }, { kind: 'consent_granted' }, { kind: 'signed_up' }]
		});
		expect(JSON.stringify(data)).not.toContain('tokenHash');
		const logged = site.log.find(({ name }) => name === 'data_exported');
		expect(logged).toMatchObject({ events: 3 });
	});

	test('repeating it within an hour adds no further event', async () => {
		const { site, visitor } = await aSignedInSite();
		for (let turn = 0; turn < 3; turn += 1) await exported(visitor);
		const kinds = [...site.tables.events.values()].map(({ kind }) => kind);
		expect(kinds).toEqual(['signed_up', 'exported']);
	});

	test('later it needs a new sign-in, which leads back to the settings', async () => {
		const { site, visitor, email } = await aSignedInSite();
		site.clock.advance(15 * 60);
		const signInPage = '/auth/sign-in?redirectTo=%2Fsettings%23data&again';
		expect(await exported(visitor)).toEqual({ status: 303, location: signInPage, data: null });
		const { data } = await visitor.open(signInPage);
		expect(data).toMatchObject({ offered: email, mustConfirm: true, flash: null });
		await requestCode(visitor, email, signInPage);
		expect((await visitor.open(signInPage)).data).toMatchObject({ step: 'code' });
		const entered = await enterCode(site, visitor, email, signInPage);
		expect(entered.location).toBe('/settings#data');
		expect((await exported(visitor)).data).toMatchObject({ account: { email } });
		// The link to a page that asks again leads nowhere else meanwhile.
		expect((await visitor.open(signInPage)).location).toBe('/settings#data');
	});

	test('after the session has expired, a sign-in leads back to the settings as well', async () => {
		const { site, visitor } = await aSignedInSite();
		site.tables.sessions.clear();
		const location = '/auth/sign-in?redirectTo=%2Fsettings%23data';
		expect(await exported(visitor)).toEqual({ status: 303, location, data: null });
	});

	test('what is not a form is refused', async () => {
		const { visitor } = await signIn(await aSite());
		expect((await visitor.api(FILE, { json: {} })).status).toBe(415);
		expect((await visitor.api(FILE, { method: 'POST' })).status).toBe(415);
	});
});
