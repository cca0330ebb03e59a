import { describe, expect, test } from 'vitest';
import type { SessionRow } from '../../support/memory/tables.ts';
import type { SessionId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { messages } from '#lib/messages/messages.ts';
import type { loadDevices } from '#lib/adapters/web/sessions/settings-section.ts';
import { anId } from '../../support/domain/builders.ts';
import {
	aSignedInSite,
	ME,
	newAddress,
	SESSION,
	shownEmail,
	signIn
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const PAGE = '/settings';
const SIGN_IN = `/auth/sign-in?redirectTo=${encodeURIComponent(PAGE)}`;

type ShownDevices = Awaited<ReturnType<typeof loadDevices>>;
const shownOn = ({ data }: Answer): ShownDevices => data['devices'] as ShownDevices;
const devicesOf = async (visitor: Visitor) => shownOn(await visitor.open(PAGE)).devices;
const to = ({ status, location }: Answer): readonly unknown[] => [status, location];
const sessionsIn = ({ tables }: Site): number => tables.sessions.size;

test('the page shows the account and its devices', async () => {
	const { site, visitor, email } = await aSignedInSite({ SUPPORT_EMAIL: 'help@example.com' });
	expect((await visitor.open(PAGE)).data).toMatchObject({
		report: null,
		user: { email },
		supportEmail: 'help@example.com',
		profile: { id: 'name', data: { name: '' }, errors: {} },
		email: { email, links: true, reauthentication: false, waiting: null },
		devices: {
			devices: [{ current: true, sessions: [{ signedInAt: site.clock.now() }] }],
			pages: 1
		},
		consent: { given: false },
		deletion: { days: 30, form: { data: { sure: false }, errors: {} } }
	});
});

describe('what was done', () => {
	const reportOn = async (visitor: Visitor, path = PAGE): Promise<unknown> =>
		(await visitor.open(path)).data['report'];

	test.each([
		['saveProfile', 'name-saved', 'profile'],
		['cancelEmailChange', 'change-cancelled', 'email'],
		['endDevice', 'device-removed', 'devices'],
		['endOtherSessions', 'others-ended', 'devices'],
		['grantConsent', 'consent-given', 'consent'],
		['withdrawConsent', 'consent-withdrawn', 'consent']
	])('%s is shown once, in its section', async (action, report, section) => {
		const { visitor } = await signIn(await aSite());
		const after = await visitor.post(`${PAGE}?/${action}`, { name: 'Ada', device: 'x' });
		expect(to(after)).toEqual([303, `${PAGE}#${section}`]);
		// The page of another tab asks in this way whether the browser is signed in.
		await visitor.api(PAGE, { method: 'HEAD' });
		expect(await reportOn(visitor)).toBe(report);
		expect(await reportOn(visitor)).toBeNull();
	});

	test('no link makes the page say it, nor an unknown value, nor a refused action', async () => {
		const { visitor } = await signIn(await aSite());
		for (const report of ['name-saved', 'others-ended', 'consent-withdrawn']) {
			expect(await reportOn(visitor, `${PAGE}?report=${report}`)).toBeNull();
		}
		for (const value of ['everything', 'toString', '__proto__', 'Name-saved', '<b>', '']) {
			visitor.setCookie('postern_flash', value);
			expect(await reportOn(visitor)).toBeNull();
		}
		visitor.setCookie('postern_flash', null);
		await visitor.post(`${PAGE}?/saveProfile`, { name: 'x'.repeat(201) });
		expect(visitor.cookie('postern_flash')).toBeNull();
	});

	test('it is shown for a minute, and to nobody who signs in after a sign-out', async () => {
		const { site, visitor } = await aSignedInSite();
		await visitor.post(`${PAGE}?/saveProfile`, { name: 'Ada' });
		site.clock.advance(61);
		expect(await reportOn(visitor)).toBeNull();
		await visitor.post(`${PAGE}?/saveProfile`, { name: 'Ada' });
		await visitor.post('/auth/sign-out');
		await signIn(site, newAddress(), visitor);
		expect(await reportOn(visitor)).toBeNull();
	});
});

test.each([
	'saveProfile',
	'requestEmailChange',
	'resendEmailChange',
	'cancelEmailChange',
	'endDevice',
	'endOtherSessions',
	'grantConsent',
	'withdrawConsent',
	'deleteAccount'
])('E07 %s redirects an unauthenticated visitor to sign-in and changes nothing', async (action) => {
	const { site, email, visitor } = await aSignedInSite();
	const jar = site.visitor(visitor);
	await visitor.post('/auth/sign-out');
	const [before] = site.tables.users.values();
	for (const one of [site.visitor(), jar]) {
		const fields = { name: 'Eve', email: newAddress('new'), sure: 'on' };
		expect(to(await one.post(`${PAGE}?/${action}`, fields))).toEqual([303, SIGN_IN]);
	}
	expect([...site.tables.users.values()]).toEqual([before]);
	expect((await site.mailsTo(email)).map(({ kind }) => kind)).toEqual(['sign_in_code', 'welcome']);
});

describe('the profile', () => {
	test('stores a name without surrounding white space, and shows it immediately', async () => {
		const { site, visitor } = await aSignedInSite();
		site.clock.advance(60);
		const saved = await visitor.post(`${PAGE}?/saveProfile`, { name: '  Zoë ✨ ' });
		expect(to(saved)).toEqual([303, '/settings#profile']);
		expect([...site.tables.users.values()]).toMatchObject([
			{ name: 'Zoë ✨', updatedAt: site.clock.now() }
		]);
		expect((await visitor.open('/app')).data['user']).toMatchObject({ name: 'Zoë ✨' });
		expect((await visitor.api(ME)).json()).toMatchObject({ user: { name: 'Zoë ✨' } });
	});

	test.each([
		['that is too long', 'x'.repeat(201), messages.errors.longName(200)],
		['with a control character', 'a\u0007b', messages.errors.invalidName]
	])('refuses a name %s, and keeps it in the field', async (_, name, text) => {
		const { site, visitor } = await aSignedInSite();
		const refused = await visitor.post(`${PAGE}?/saveProfile`, { name });
		expect(refused.status).toBe(400);
		expect(refused.form).toMatchObject({ form: { data: { name }, errors: { name: [text] } } });
		expect([...site.tables.users.values()]).toMatchObject([{ name: '' }]);
	});

	test('saved after the account was deleted redirects to sign-in', async () => {
		const { site, visitor } = await aSignedInSite();
		for (const [id, row] of site.tables.users) {
			site.tables.users.set(id, { ...row, deletedAt: site.clock.now() });
		}
		expect(to(await visitor.post(`${PAGE}?/saveProfile`, { name: 'Ada' }))).toEqual([303, SIGN_IN]);
	});
});

describe('the devices', () => {
	const three = async (): Promise<{ site: Site; all: readonly Visitor[]; email: string }> => {
		const site = await aSite();
		const email = newAddress();
		const all: Visitor[] = [];
		for (let number = 0; number < 3; number += 1) {
			all.push((await signIn(site, email)).visitor);
			site.clock.advance(60);
		}
		return { site, all, email };
	};
	const living = (all: readonly Visitor[]): Promise<(string | null)[]> =>
		Promise.all(all.map(async (one) => shownEmail(await one.api(ME))));

	test('are shown in pages of ten, and a page returns to itself after one was ended', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const [mine] = site.tables.sessions.values();
		for (let number = 0; number < 24; number += 1) {
			site.clock.advance(60);
			const id = anId<SessionId>(number);
			const now = site.clock.now();
			const row = { ...(mine as SessionRow), id, deviceId: null, createdAt: now, updatedAt: now };
			site.tables.sessions.set(id, { ...row, tokenHash: id as string as SecretHash });
		}
		const newestFirst = [...site.tables.sessions.keys()].slice(1).toReversed();
		const page = async (query: string) => shownOn(await visitor.open(`${PAGE}${query}`));
		const idsOn = async (query: string) =>
			(await page(query)).devices.map(({ sessions: [last] }) => last?.id);
		expect(await page('')).toMatchObject({ page: 1, pages: 3 });
		expect(await idsOn('')).toEqual([mine?.id, ...newestFirst.slice(0, 9)]);
		expect(await idsOn('?devices=2')).toEqual(newestFirst.slice(9, 19));
		expect(await idsOn('?devices=3')).toEqual(newestFirst.slice(19));
		expect((await page('?devices=9999')).page).toBe(3);
		for (const other of ['0', '-1', '1.5', '1e3', 'x', '', '99999', '2&devices=3']) {
			expect((await page(`?devices=${other}`)).page).toBe(other.startsWith('2') ? 2 : 1);
		}
		const device = newestFirst[10] ?? '';
		for (const [number, location] of [
			['2', `${PAGE}?devices=2#devices`],
			['1', `${PAGE}#devices`],
			['2#x', `${PAGE}#devices`]
		] as const) {
			const ended = await visitor.post(`${PAGE}?/endDevice`, { device, page: number });
			expect(to(ended)).toEqual([303, location]);
		}
		expect(await idsOn('?devices=3')).toHaveLength(4);
		await visitor.post(`${PAGE}?/endOtherSessions`);
		expect(shownEmail(await visitor.api(ME))).toBe(email);
		expect(await page('?devices=2')).toMatchObject({ page: 1, pages: 1 });
	});

	test('another one can be ended; the rest stay', async () => {
		const { site, all, email } = await three();
		const [mine, ...others] = await devicesOf(all[0] as Visitor);
		const device = others[0]?.handle ?? '';
		const ended = await all[0]?.post(`${PAGE}?/endDevice`, { device });
		expect(ended && to(ended)).toEqual([303, '/settings#devices']);
		const lines = site.log.filter(({ name }) => name === 'signed_out');
		expect(lines).toMatchObject([{ session: others[0]?.sessions[0]?.id }]);
		expect((await living(all)).filter((one) => one === email)).toHaveLength(2);
		expect([...site.tables.sessions.keys()].sort()).toEqual(
			[mine, others[1]].map((one) => one?.sessions[0]?.id).sort()
		);
	});

	test('the current one can be ended, which signs this browser out', async () => {
		const { site, all } = await three();
		const [mine] = await devicesOf(all[0] as Visitor);
		const ended = await all[0]?.post(`${PAGE}?/endDevice`, { device: mine?.handle ?? '' });
		expect(ended && to(ended)).toEqual([303, '/']);
		expect((await all[0]?.open('/'))?.data['flash']).toBe('signed-out');
		expect(ended?.headers.get('clear-site-data')).toBe('"storage"');
		expect([all[0]?.cookie(SESSION), sessionsIn(site)]).toEqual([null, 2]);
	});

	test('E20 the handle of another account, an unknown one or none ends nothing', async () => {
		const { site, all } = await three();
		const other = await signIn(site);
		const [theirs] = await devicesOf(other.visitor);
		for (const fields of [{ device: theirs?.handle ?? '' }, { device: 'x' }, { device: '' }, {}]) {
			const answer = await all[0]?.post(`${PAGE}?/endDevice`, fields as Record<string, string>);
			expect(answer && to(answer)).toEqual([303, '/settings#devices']);
		}
		expect(sessionsIn(site)).toBe(4);
		expect(shownEmail(await other.visitor.api(ME))).toBe(other.email);
	});

	test('a known device that signed out is listed last, and can be removed', async () => {
		const { site, all } = await three();
		await all[1]?.post('/auth/sign-out');
		expect(site.log.filter(({ name }) => name === 'signed_out')).toHaveLength(1);
		const listed = await devicesOf(all[0] as Visitor);
		expect(listed.map(({ sessions }) => sessions.length)).toEqual([1, 1, 0]);
		const device = listed[2]?.handle ?? '';
		expect(site.tables.devices.has(device)).toBe(true);
		await all[0]?.post(`${PAGE}?/endDevice`, { device });
		expect(site.tables.devices.has(device)).toBe(false);
		expect(await devicesOf(all[0] as Visitor)).toHaveLength(2);
		const other = await signIn(site);
		const [theirs] = await devicesOf(other.visitor);
		await other.visitor.post('/auth/sign-out');
		await all[0]?.post(`${PAGE}?/endDevice`, { device: theirs?.handle ?? '' });
		expect(site.tables.devices.has(theirs?.handle ?? '')).toBe(true);
	});

	test('all others can be ended together', async () => {
		const { site, all, email } = await three();
		const other = await signIn(site);
		const ended = await all[1]?.post(`${PAGE}?/endOtherSessions`);
		const line = site.log.find(({ name }) => name === 'signed_out_others');
		expect(line).toMatchObject({ sessions: 2 });
		expect(ended && to(ended)).toEqual([303, '/settings#devices']);
		expect(await living([...all, other.visitor])).toEqual([null, email, null, other.email]);
		expect(sessionsIn(site)).toBe(2);
	});
});
