import { describe, expect, test } from 'vitest';
import { aSignedInSite, requestCode, SESSION, signIn } from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const PAGE = '/auth/sign-in';
const DAY = 86_400;

const offered = async (visitor: Visitor, path = PAGE): Promise<unknown> =>
	(await visitor.open(path)).data['offered'];

describe('the email address that the sign-in pages offer', () => {
	test('is the one whose session expired in this browser, and pressing sends a code there', async () => {
		const { site, visitor, email } = await aSignedInSite();
		site.clock.advance(61 * DAY);
		for (const path of [PAGE, '/auth/sign-up']) {
			expect(await offered(visitor, path)).toBe(email);
			expect(await offered(site.visitor(), path)).toBeNull();
		}
		expect(await offered(visitor, `${PAGE}?step=email`)).toBeNull();
		await requestCode(visitor, email);
		expect((await visitor.open(PAGE)).data).toMatchObject({
			step: 'code',
			offered: null,
			pendingCode: { email }
		});
		const single = await aSite({ AUTH_ENTRY: 'single' });
		const other = await signIn(single, email, single.visitor());
		other.visitor.setCookie(SESSION, null);
		expect(await offered(other.visitor, '/auth/login')).toBe(email);
	});

	test('is forgotten by signing out, also when the session has ended before', async () => {
		const site = await aSite();
		for (const hasEnded of [false, true]) {
			const { visitor } = await signIn(site);
			if (hasEnded) site.tables.sessions.clear();
			await visitor.post('/auth/sign-out');
			expect(await offered(visitor)).toBeNull();
		}
	});

	test('needs no query in a browser without a device key', async () => {
		const site = await aSite();
		site.breakStore('devices.lastEmail');
		expect((await site.visitor().open(PAGE)).status).toBe(200);
	});
});
