import { describe, expect, test } from 'vitest';
import { secondsAfter } from '#lib/domain/time.ts';
import { messages } from '#lib/messages/messages.ts';
import {
	aSignedInSite,
	enterCode,
	ME,
	newAddress,
	requestCode,
	SESSION,
	shownEmail,
	signIn
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const PAGE = '/auth/verify-email';
const LINK = 'postern_link';
const CHANGED = '/settings';
const { errors } = messages;

/** Requests a change in the settings and returns the token of the link that was sent. */
const linkTo = async (site: Site, visitor: Visitor, newEmail: string): Promise<string> => {
	const response = await visitor.post('/settings?/requestEmailChange', { email: newEmail });
	expect([response.status, response.location]).toEqual([303, '/settings#email']);
	return site.linkFor(newEmail);
};

/** Opens a link and follows its redirect. */
const open = async (visitor: Visitor, token: string, query = ''): Promise<Answer> => {
	const redirected = await visitor.open(`${PAGE}?token=${encodeURIComponent(token)}${query}`);
	return redirected.status === 303 ? visitor.open(redirected.location ?? '') : redirected;
};

const confirm = (visitor: Visitor, query = ''): Promise<Answer> =>
	visitor.post(`${PAGE}?/confirm${query}`);

const openAndConfirm = async (visitor: Visitor, token: string): Promise<Answer> => {
	await open(visitor, token);
	return confirm(visitor);
};

/** What a person sees after the button was pressed. */
const outcomeOf = ({ status, location, form }: Answer): readonly unknown[] => [
	status,
	location ?? (form as { refused: string } | null)?.refused
];
const REFUSED = [400, errors.invalidChangeLink];

const emailsIn = ({ tables }: Site): readonly string[] =>
	[...tables.users.values()].map(({ email }) => email).sort();

describe('the settings', () => {
	test('send a link to the new address, show the change, and nothing changes before it is confirmed', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const to = newAddress('new');
		await linkTo(site, visitor, to);
		expect(await site.mailsTo(to)).toMatchObject([
			{ kind: 'email_change_link', account: email, callbackUrl: null, lifetime: 3600 }
		]);
		expect((await visitor.open('/settings')).data['email']).toMatchObject({
			email,
			waiting: { to, way: 'link', expiresAt: secondsAfter(site.clock.now(), 3600) }
		});
		expect(emailsIn(site)).toEqual([email]);
	});

	test.each([
		['', errors.emptyEmail],
		['nobody', errors.invalidEmail],
		['ADA-SAME@Example.com', errors.sameEmail]
	])('%j is 400 at the field, which keeps it', async (typed, text) => {
		const site = await aSite();
		const { visitor } = await signIn(site, 'ada-same@example.com');
		const answer = await visitor.post('/settings?/requestEmailChange', { email: typed });
		expect(answer.status).toBe(400);
		expect(answer.form).toMatchObject({
			form: { data: { email: typed }, errors: { email: [text] } }
		});
		expect((await visitor.open('/settings')).data['email']).toMatchObject({ waiting: null });
	});

	test('with EMAIL_CHANGE_LINK=off they offer no form, and one that is posted sends nothing', async () => {
		const { site, visitor } = await aSignedInSite({ EMAIL_CHANGE_LINK: 'off' });
		const to = newAddress('new');
		expect((await visitor.open('/settings')).data['email']).toMatchObject({ links: false });
		const answer = await visitor.post('/settings?/requestEmailChange', { email: to });
		expect(answer.status).toBe(400);
		expect(answer.form).toMatchObject({ form: { errors: { _errors: [errors.linksOff] } } });
		expect(await site.mailsTo(to)).toEqual([]);
	});
});

describe('the page of a link', () => {
	test('one press confirms the change, ends the other sessions and notifies the old address once', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const other = await signIn(site, email);
		const to = newAddress('new');
		const token = await linkTo(site, visitor, to);
		const page = await open(visitor, token);
		expect(page.data['link']).toEqual({ state: 'ready', from: email, to, canUndo: true });
		// Opening it repeatedly, as a scanner does, changes nothing.
		await open(visitor, token);
		expect(emailsIn(site)).toEqual([email]);
		expect(outcomeOf(await confirm(visitor))).toEqual([303, CHANGED]);
		expect(emailsIn(site)).toEqual([to]);
		expect(visitor.cookie(LINK)).toBeNull();
		expect(shownEmail(await visitor.api(ME))).toBe(to);
		expect((await visitor.open(CHANGED)).data).toMatchObject({
			flash: 'email-changed',
			email: { email: to, waiting: null }
		});
		expect(shownEmail(await other.visitor.api(ME))).toBeNull();
		const notices = (await site.mailsTo(email)).filter(
			({ kind }) => kind === 'email_change_notice'
		);
		expect(notices).toMatchObject([{ newEmail: to, stage: 'completed' }]);
	});

	test('K16 the token leaves the URL for a cookie at once, and is in no page', async () => {
		const { site, visitor } = await aSignedInSite();
		const token = await linkTo(site, visitor, newAddress('new'));
		for (const one of [visitor, site.visitor()]) {
			const redirected = await one.open(`${PAGE}?token=${token}&callbackURL=%2Fapp%3Fx%3D1`);
			expect([redirected.status, redirected.location]).toEqual([
				303,
				`${PAGE}?callbackURL=%2Fapp%3Fx%3D1`
			]);
			expect(redirected.setCookies).toContain(
				`__Host-${LINK}=${token}; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax`
			);
			const page = await one.open(redirected.location ?? '');
			expect(page.text).not.toContain(token);
			expect(page.headers.get('referrer-policy')).toBe('same-origin');
		}
	});

	test('K02 signed out it redirects to sign-in, shows no email address, and keeps the link', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const to = newAddress('new');
		const token = await linkTo(site, visitor, to);
		const browser = site.visitor();
		const page = await open(browser, token);
		const signInPath = `/auth/sign-in?redirectTo=${encodeURIComponent(PAGE)}`;
		expect(page.data['link']).toEqual({ state: 'signed-out', signIn: signInPath });
		expect(page.text).not.toContain(email);
		expect(page.text).not.toContain(to);
		expect(outcomeOf(await confirm(browser))).toEqual([303, signInPath]);
		expect([browser.cookie(SESSION), browser.cookie(LINK)]).toEqual([null, token]);
		expect(emailsIn(site)).toEqual([email]);

		await requestCode(browser, email, signInPath);
		expect((await enterCode(site, browser, email, signInPath)).location).toBe(PAGE);
		expect((await browser.open(PAGE)).data['link']).toEqual({
			state: 'ready',
			from: email,
			to,
			canUndo: true
		});
		expect(outcomeOf(await confirm(browser))).toEqual([303, CHANGED]);
		expect(shownEmail(await visitor.api(ME))).toBeNull();
	});

	test('K03 K04 another user’s link is refused, whatever ids are in the URL, the form or a cookie, and stays valid for its owner', async () => {
		const site = await aSite();
		const [owner, other] = [await signIn(site), await signIn(site)];
		const [mine, theirs] = [newAddress('new'), newAddress('new')];
		const token = await linkTo(site, owner.visitor, mine);
		await linkTo(site, other.visitor, theirs);
		const { id } = site.userOf(owner.email);
		const query = `&userId=${id}&user=${id}&id=${id}&email=${owner.email}&newEmail=${mine}`;
		other.visitor.setCookie('userId', id);
		const page = await open(other.visitor, token, query);
		expect(page.data['link']).toEqual({ state: 'refused' });
		for (const secret of [owner.email, mine]) expect(page.text).not.toContain(secret);
		const sent = await other.visitor.post(`${PAGE}?/confirm${query}`, {
			userId: id,
			email: owner.email,
			newEmail: mine,
			token
		});
		expect(outcomeOf(sent)).toEqual(REFUSED);
		expect(emailsIn(site)).toEqual([owner.email, other.email].sort());
		expect(outcomeOf(await openAndConfirm(owner.visitor, token))).toEqual([303, CHANGED]);
	});

	test('a link of another account offers to sign out, which keeps the link for that account', async () => {
		const site = await aSite();
		const [owner, other] = [await signIn(site), await signIn(site)];
		const to = newAddress('new');
		const token = await linkTo(site, owner.visitor, to);
		await open(other.visitor, token);
		const out = await other.visitor.post(`${PAGE}?/switchAccount`);
		expect([out.status, out.location]).toEqual([303, PAGE]);
		expect([other.visitor.cookie(SESSION), other.visitor.cookie(LINK)]).toEqual([null, token]);
		const page = await other.visitor.open(PAGE);
		const { signIn: path } = page.data['link'] as { signIn: string };
		await requestCode(other.visitor, owner.email, path);
		expect((await enterCode(site, other.visitor, owner.email, path)).location).toBe(PAGE);
		expect(outcomeOf(await confirm(other.visitor))).toEqual([303, CHANGED]);
		expect(emailsIn(site)).toEqual([other.email, to].sort());
	});

	test('a used link says so to its account in any browser, and to no other account', async () => {
		const { site, visitor } = await aSignedInSite();
		const to = newAddress('new');
		const token = await linkTo(site, visitor, to);
		await openAndConfirm(visitor, token);
		const elsewhere = await signIn(site, to);
		for (const one of [visitor, elsewhere.visitor]) {
			expect((await open(one, token)).data['link']).toEqual({ state: 'applied', email: to });
		}
		const another = await signIn(site);
		const page = await open(another.visitor, token);
		expect(page.data['link']).toEqual({ state: 'refused' });
		expect(page.text).not.toContain(to);
		// A second press on the same page.
		expect(outcomeOf(await openAndConfirm(elsewhere.visitor, token))).toEqual([303, CHANGED]);
	});

	test('A14 an empty, doubled or mangled token opens nothing, and a page without one says so', async () => {
		const { site, visitor } = await aSignedInSite();
		const token = await linkTo(site, visitor, newAddress('new'));
		for (const mangled of ['', '\0', 'x', 'a'.repeat(5000), `${token}x`]) {
			const page = await open(visitor, mangled);
			expect([page.status, page.data['link'], visitor.cookie(LINK)]).toEqual([
				200,
				{ state: 'none' },
				null
			]);
		}
		expect((await visitor.open(PAGE)).data['link']).toEqual({ state: 'none' });
		expect(outcomeOf(await confirm(visitor))).toEqual(REFUSED);
		const twice = [token, 'A'.repeat(43)].map((value) => `__Host-${LINK}=${value}`).join('; ');
		const cookie = `__Host-${SESSION}=${visitor.cookie(SESSION)}; ${twice}`;
		const doubled = await site.visitor().open(PAGE, { cookie });
		expect(doubled.data['link']).toEqual({ state: 'none' });
	});

	test('a user can postpone the link: this browser forgets it, and the change stays pending', async () => {
		const { site, visitor } = await aSignedInSite();
		const token = await linkTo(site, visitor, newAddress('new'));
		const signedOut = site.visitor();
		for (const [one, location] of [
			[visitor, '/settings'],
			[signedOut, '/']
		] as const) {
			await open(one, token);
			expect(outcomeOf(await one.post(`${PAGE}?/dismiss`))).toEqual([303, location]);
			expect(one.cookie(LINK)).toBeNull();
			expect((await one.open(PAGE)).data['link']).toEqual({ state: 'none' });
		}
		expect(outcomeOf(await openAndConfirm(visitor, token))).toEqual([303, CHANGED]);
	});

	test.each([
		['callbackURL', (value: string) => value],
		['next', (value: string) => Buffer.from(value).toString('base64url')]
	] as const)(
		'%s is the redirect target afterwards, unless it is unsafe',
		async (parameter, encode) => {
			const site = await aSite({ AUTH_TRUSTED_ORIGINS: 'capacitor://localhost' });
			for (const [target, location] of [
				['/app?x=//y', '/app?x=//y'],
				['capacitor://localhost/done', 'capacitor://localhost/done'],
				['https://evil.example/', CHANGED],
				['', CHANGED]
			] as const) {
				const { visitor } = await signIn(site);
				const token = await linkTo(site, visitor, newAddress('new'));
				const query = `&${new URLSearchParams({ [parameter]: encode(target) })}`;
				const page = await open(visitor, token, query);
				expect(page.data['link']).toMatchObject({ state: 'ready' });
				expect(page.text).not.toContain('evil.example');
				const kept = String(page.data['keptQuery']);
				const done = await confirm(visitor, kept === '' ? '' : `&${kept}`);
				expect([target, ...outcomeOf(done)]).toEqual([target, 303, location]);
				// The page checks its own URL again.
				const unchecked = await confirm(visitor, query);
				expect(outcomeOf(unchecked)).toEqual(REFUSED);
			}
		}
	);
});
