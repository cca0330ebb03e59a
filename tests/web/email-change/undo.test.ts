import { describe, expect, test } from 'vitest';
import {
	bearer,
	enterCode,
	ME,
	newAddress,
	requestCode,
	SESSION,
	shownEmail,
	signIn
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const DEVICE = 'postern_device';
const move = async (site: Site, visitor: Visitor, newEmail: string): Promise<void> => {
	await visitor.api('/api/auth/email-otp/request-email-change', { json: { newEmail } });
	const otp = await site.codeFor(newEmail);
	const moved = await visitor.api('/api/auth/email-otp/change-email', { json: { newEmail, otp } });
	expect(moved.json()).toEqual({ success: true });
};
const pageFor = async (site: Site, email: string): Promise<string> => {
	const notice = (await site.mailsTo(email)).findLast(
		(mail) => mail.kind === 'email_change_notice'
	);
	if (notice?.kind !== 'email_change_notice' || notice.undoToken === null)
		throw new Error('no link');
	return `/auth/undo-email-change/${notice.undoToken}`;
};

/** An account that a thief has moved, with the link in the mailbox of its owner. */
const stolen = async (site: Site) => {
	const { email, visitor, token } = await signIn(site);
	const taken = newAddress('thief');
	await move(site, visitor, taken);
	site.clock.advance(600);
	return { email, taken, thief: visitor, token, page: await pageFor(site, email) };
};

describe('the page that undoes an email change', () => {
	test('K01 opening it changes nothing, and masks the address that the account has now', async () => {
		const site = await aSite();
		const { email, taken, page, thief } = await stolen(site);
		const queries = await site.queriesOf(async () => {
			for (let time = 0; time < 3; time += 1) {
				const opened = await site.visitor().open(page);
				expect([opened.status, opened.data]).toMatchObject([
					200,
					{ state: 'asks', to: email, from: 't•••@example.com' }
				]);
				expect(opened.headers.get('referrer-policy')).toBe('same-origin');
				expect(opened.text).not.toContain(taken);
			}
		});
		expect(new Set(queries)).toEqual(new Set(['emailUndos.find']));
		expect(shownEmail(await thief.api(ME))).toBe(taken);
	});

	test('one press without a session gives the account back and leads to the sign-in page', async () => {
		const site = await aSite();
		const { email, page, thief, token } = await stolen(site);
		const owner = site.visitor();
		await owner.open(page);
		const pressed = await owner.post(`${page}?/undo`);
		expect([pressed.status, pressed.location]).toEqual([
			303,
			'/auth/sign-in?redirectTo=%2Fsettings'
		]);
		expect(pressed.setCookies.find((one) => one.includes(DEVICE))).toMatch(
			/^__Host-postern_device=[\w-]{43}; Max-Age=34560000;.*HttpOnly.*Secure.*SameSite=Lax/
		);
		const next = await owner.open(pressed.location ?? '');
		expect(next.data['flash']).toBe('email-restored');
		expect((await thief.open('/settings')).status).toBe(303);
		expect((await site.visitor().call(ME, { headers: bearer(token) })).json()).toBeNull();
		expect((await owner.open(page)).data['state']).toBe('unknown');
		const again = await owner.post(`${page}?/undo`);
		expect(again.status).toBe(400);
		site.clock.advance(900);
		await signIn(site, email, owner);
		expect(shownEmail(await owner.api(ME))).toBe(email);
	});

	test('a press in a browser that is signed in to the account signs it out properly', async () => {
		const site = await aSite();
		const { page, thief } = await stolen(site);
		const key = thief.cookie(DEVICE);
		await thief.post(`${page}?/undo`);
		expect(thief.cookie(SESSION)).toBeNull();
		expect(thief.cookie(DEVICE)).not.toBe(key);
	});

	test('S04 opening the page, a refused press and a second press make no browser known', async () => {
		const site = await aSite();
		const { page } = await stolen(site);
		const [scanner, stranger, late] = [site.visitor(), site.visitor(), site.visitor()];
		await scanner.open(page);
		await stranger.post(`${page}?/undo`, { csrf: 'x' });
		await stranger.post(`${page}x?/undo`);
		await site.visitor().post(`${page}?/undo`);
		expect((await late.post(`${page}?/undo`)).status).toBe(400);
		for (const one of [scanner, stranger, late]) expect(one.cookie(DEVICE)).toBeNull();
		const known = [...site.tables.devices.values()].filter(({ isKnown }) => isKnown);
		expect(known).toHaveLength(1);
	});

	test('N05 no log line has the token or an email address', async () => {
		const site = await aSite();
		const { email, taken, page } = await stolen(site);
		const before = site.log.length;
		await site.visitor().open(page);
		await site.visitor().post(`${page}?/undo`);
		const text = JSON.stringify(site.log.slice(before));
		for (const secret of [page.split('/').at(-1) ?? '', email, taken]) {
			expect(text.includes(secret)).toBe(false);
		}
		expect(site.log.slice(before)).toContainEqual(
			expect.objectContaining({ name: 'email_change_undone', outcome: 'ok', sessions: 1 })
		);
	});
});

describe('a right code of the old address', () => {
	test.each(['/auth/sign-in', '/auth/sign-up'])(
		'K15 on %s leads to the same page',
		async (path) => {
			const site = await aSite();
			const { email, page } = await stolen(site);
			const owner = site.visitor();
			await requestCode(owner, email, path);
			const entered = await enterCode(site, owner, email, path);
			expect([entered.status, entered.location]).toEqual([303, page]);
			expect(owner.cookie(SESSION)).toBeNull();
		}
	);
});
