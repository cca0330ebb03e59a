import { expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { signIn } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const PAGE = '/app';

const questionOn = async (visitor: Visitor): Promise<unknown> =>
	(await visitor.open(PAGE)).data['nameQuestion'];
const to = ({ status, location }: Answer): readonly unknown[] => [status, location];
const namesIn = ({ tables }: Site): readonly string[] =>
	[...tables.users.values()].map(({ name }) => name);

/** A person with a new account, on two devices. */
const onTwoDevices = async (): Promise<{ site: Site; first: Visitor; second: Visitor }> => {
	const site = await aSite();
	const { email, visitor: first } = await signIn(site);
	site.clock.advance(8 * 60);
	const { visitor: second } = await signIn(site, email);
	return { site, first, second };
};

test('a new account is asked for a name, on each of its devices', async () => {
	const { first, second } = await onTwoDevices();
	expect(await questionOn(first)).toEqual({ name: '' });
	expect(await questionOn(second)).toEqual({ name: '' });
});

test.each([
	['answer', 'saveName', '  Ada ', 'Ada'],
	['skip', 'skipName', '', '']
])('after an %s, no device asks again', async (_, action, typed, stored) => {
	const { site, first, second } = await onTwoDevices();
	expect(to(await first.post(`${PAGE}?/${action}`, { name: typed }))).toEqual([303, PAGE]);
	expect(namesIn(site)).toEqual([stored]);
	for (const device of [first, second]) {
		expect(await questionOn(device)).toBeNull();
		expect((await device.open(PAGE)).data['account']).toMatchObject({ name: stored });
	}
});

test('skipping ignores what was typed', async () => {
	const { site, first } = await onTwoDevices();
	await first.post(`${PAGE}?/skipName`, { name: 'Ada' });
	expect(namesIn(site)).toEqual(['']);
	expect(await questionOn(first)).toBeNull();
});

test('a name that was removed in the settings is not asked for again', async () => {
	const { site, first } = await onTwoDevices();
	await first.post(`${PAGE}?/saveName`, { name: 'Ada' });
	site.clock.advance(60);
	await first.post('/settings?/saveProfile', { name: '' });
	expect(namesIn(site)).toEqual(['']);
	expect(await questionOn(first)).toBeNull();
});

test('a page that was open for long replaces no name that was given elsewhere', async () => {
	const { site, first, second } = await onTwoDevices();
	await first.post(`${PAGE}?/saveName`, { name: 'Ada' });
	expect(to(await second.post(`${PAGE}?/saveName`, { name: 'Eve' }))).toEqual([303, PAGE]);
	expect(to(await second.post(`${PAGE}?/skipName`))).toEqual([303, PAGE]);
	// Its page has no question any more that could show an error.
	const long = { name: 'x'.repeat(201) };
	expect(to(await second.post(`${PAGE}?/saveName`, long))).toEqual([303, PAGE]);
	expect(namesIn(site)).toEqual(['Ada']);
});

test.each([
	['nothing', '  ', '', messages.errors.emptyName],
	['a name that is too long', 'x'.repeat(201), 'x'.repeat(201), messages.errors.longName(200)],
	['a control character', 'a\u0007b', 'a\u0007b', messages.errors.invalidName]
])('refuses %s, and asks again', async (_, typed, name, reason) => {
	const { site, first } = await onTwoDevices();
	const refused = await first.post(`${PAGE}?/saveName`, { name: typed });
	expect(refused.status).toBe(400);
	expect(refused.form).toEqual({ nameRefused: { name, reason } });
	expect(namesIn(site)).toEqual(['']);
	expect(await questionOn(first)).toEqual({ name: '' });
});

test('a name typed after the session had ended is there again after signing in', async () => {
	const site = await aSite();
	const { email, visitor } = await signIn(site);
	const [id] = site.tables.users.keys();
	site.tables.sessions.clear();
	const kept = await visitor.post(`${PAGE}?/saveName`, { name: 'Ada', account: String(id) });
	expect(to(kept)).toEqual([303, '/auth/sign-in?redirectTo=%2Fapp%23name']);
	site.clock.advance(8 * 60);
	await signIn(site, email, visitor);
	// The page of another tab asks in this way whether the browser is signed in.
	await visitor.api(PAGE, { method: 'HEAD' });
	expect(await questionOn(visitor)).toEqual({ name: 'Ada' });
	expect(namesIn(site)).toEqual(['']);
});

test('a name for an account that was deleted meanwhile redirects to sign-in', async () => {
	const { site, first } = await onTwoDevices();
	for (const [id, row] of site.tables.users) {
		site.tables.users.set(id, { ...row, deletedAt: site.clock.now() });
	}
	const answer = await first.post(`${PAGE}?/saveName`, { name: 'Ada' });
	expect(to(answer)).toEqual([303, '/auth/sign-in?redirectTo=%2Fapp']);
});
