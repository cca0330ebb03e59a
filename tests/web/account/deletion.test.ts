import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import {
	aDeletedAccount,
	aSignedInSite,
	enterCode,
	ME,
	requestCode,
	SESSION,
	shownEmail,
	signIn
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const PAGE = '/auth/account-deleted';
const GRANT = 'postern_restore';
const DAY = 24 * 3600;
const REFUSED = [400, { isBlocked: false }];

/** Enters the right code of a deleted account, which earns a grant to restore it. */
const comeBack = async (
	site: Site,
	email: string,
	path = '/auth/sign-in'
): Promise<{ readonly visitor: Visitor; readonly led: Answer }> => {
	const visitor = site.visitor();
	await requestCode(visitor, email, path);
	const led = await enterCode(site, visitor, email, path);
	expect([led.status, led.location]).toEqual([303, PAGE]);
	return { visitor, led };
};

const restore = async (visitor: Visitor): Promise<readonly unknown[]> => {
	const { status, location, form } = await visitor.post(`${PAGE}?/restore`);
	return [status, location ?? form];
};

const offer = async (visitor: Visitor): Promise<unknown> => {
	const { grant } = (await visitor.open(PAGE)).data as { grant: { purgeAt: Date } | null };
	return grant && grant.purgeAt;
};

describe('deleting', () => {
	test('in the settings it needs the ticked box; then it signs out everywhere and sends an email', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const other = await signIn(site, email);
		const unsure = await visitor.post('/settings?/deleteAccount');
		expect(unsure.status).toBe(400);
		expect(unsure.form).toMatchObject({
			form: { id: 'deletion', errors: { sure: [messages.errors.unsure] } }
		});
		expect(site.userOf(email).deletedAt).toBeNull();

		const done = await visitor.post('/settings?/deleteAccount', { sure: 'on' });
		expect([done.status, done.location]).toEqual([303, PAGE]);
		expect(done.headers.get('clear-site-data')).toBe('"storage"');
		const logged = site.log.find(({ name }) => name === 'account_deleted');
		expect(logged).toMatchObject({ sessions: 2 });
		expect([visitor.cookie(SESSION), visitor.cookie('postern_cache')]).toEqual([null, null]);
		expect(shownEmail(await other.visitor.api(ME))).toBeNull();
		expect(site.userOf(email).deletedAt).toEqual(site.clock.now());
		expect((await site.mailsTo(email)).at(-1)).toMatchObject({
			kind: 'account_deleted',
			purgeAt: new Date(site.clock.now().getTime() + 30 * DAY * 1000)
		});
		// The session that deleted the account is no grant: a grant needs a code.
		expect(await offer(visitor)).toBeNull();
		expect(await restore(visitor)).toEqual(REFUSED);
		// For as long as the page says what happened, it says to which account.
		site.clock.advance(23 * 3600);
		expect((await visitor.open(PAGE)).data).toMatchObject({ lastEvent: 'account-deleted', email });
	});
});

describe('restoring', () => {
	test.each(['/auth/sign-in', '/auth/sign-up'])(
		'the right code on %s leads to the restore page, which shows the deadline and restores once',
		async (path) => {
			const site = await aSite();
			const email = await aDeletedAccount(site);
			const before = site.userOf(email);
			const { visitor, led } = await comeBack(site, email, path);
			expect(led.setCookies).toContainEqual(
				expect.stringMatching(
					/^__Host-postern_restore=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
				)
			);
			expect([visitor.cookie(SESSION), site.tables.sessions.size]).toEqual([null, 0]);
			const deletedAt = before?.deletedAt?.getTime() ?? 0;
			expect(await offer(visitor)).toEqual(new Date(deletedAt + 30 * DAY * 1000));
			const grant = visitor.cookie(GRANT);
			expect((await visitor.open(PAGE)).text).not.toContain(grant);

			expect(await restore(visitor)).toEqual([303, '/app']);
			expect(visitor.cookie(GRANT)).toBeNull();
			expect(site.log).toContainEqual(
				expect.objectContaining({ name: 'account_restored', outcome: 'ok' })
			);
			expect(shownEmail(await visitor.api(ME))).toBe(email);
			expect(site.userOf(email)).toMatchObject({ id: before?.id, deletedAt: null });
			expect((await visitor.open(PAGE)).location).toBe('/app');
			const replay = site.visitor();
			replay.setCookie(GRANT, grant);
			expect(await offer(replay)).toBeNull();
			expect(await restore(replay)).toEqual(REFUSED);
			expect(site.tables.sessions.size).toBe(1);
		}
	);

	test('another browser, or a made-up grant, restores nothing', async () => {
		const site = await aSite();
		const email = await aDeletedAccount(site);
		const { visitor } = await comeBack(site, email);
		const grant = visitor.cookie(GRANT) ?? '';
		const changed = (grant.startsWith('A') ? 'B' : 'A') + grant.slice(1);
		for (const planted of [null, '', 'x', changed, grant.slice(1), 'A'.repeat(43)]) {
			const other = site.visitor();
			other.setCookie(GRANT, planted);
			expect([planted, await offer(other), await restore(other)]).toEqual([planted, null, REFUSED]);
			expect(other.cookie(GRANT)).toBeNull();
			expect(other.cookie(SESSION)).toBeNull();
		}
		expect(site.userOf(email).deletedAt).not.toBeNull();
		expect(await restore(visitor)).toEqual([303, '/app']);
	});

	test('reading the page changes nothing; leaving it discards the offer', async () => {
		const site = await aSite();
		const email = await aDeletedAccount(site);
		const { visitor } = await comeBack(site, email);
		const before = JSON.stringify([...site.tables.challenges]);
		for (let time = 0; time < 3; time += 1) expect(await offer(visitor)).not.toBeNull();
		expect((await visitor.open(`${PAGE}?/restore`)).status).toBe(200);
		expect(JSON.stringify([...site.tables.challenges])).toBe(before);
		const left = await visitor.post(`${PAGE}?/leave`);
		expect([left.status, left.location, visitor.cookie(GRANT)]).toEqual([303, '/', null]);
		expect(await offer(visitor)).toBeNull();
		expect(site.userOf(email).deletedAt).not.toBeNull();
		site.clock.advance(31);
		expect(await offer((await comeBack(site, email)).visitor)).not.toBeNull();
	});
});
