import { describe, expect, it } from 'vitest';
import type { SessionId } from '#lib/domain/ids.ts';
import type { ProgramKey } from '#lib/domain/secret.ts';
import { aClientInfo, anId } from '../../support/domain/builders.ts';
import {
	aFixture,
	aSignedIn,
	errorOf,
	type Fixture,
	valueOf
} from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';

const idsOf = async (fixture: Fixture, id: Parameters<Fixture['cancelEmailChange']>[0]) =>
	(await fixture.listSessions(id)).map((session) => session.id);

describe('the devices an account is signed in on', () => {
	it('are listed with where the user signed in, without tokens or hashes', async () => {
		const fixture = aFixture();
		const client = aClientInfo({ ipAddress: '192.0.2.7', userAgent: 'Phone/1' });
		const opened = valueOf(await fixture.enterCode(ada, await fixture.sendTo(ada), { client }));
		const listed = await fixture.listSessions(opened.user.id);
		expect(listed).toEqual([opened.session]);
		expect(listed).toMatchObject([client]);
		expect(JSON.stringify(listed)).not.toContain(fixture.secretHasher.ofToken(opened.token)[0]);
	});

	it('are shown in pages, the current one first, and the last page instead of one behind it', async () => {
		const fixture = aFixture();
		const opened = [];
		for (let count = 0; count < 5; count += 1) {
			opened.push((await fixture.signIn(ada)).session);
			fixture.clock.advance(600);
		}
		const [one, two, three, four, five] = opened;
		const { userId, id } = two ?? (await fixture.signIn(ada)).session;
		const page = (number: number) => fixture.readSignedInDevicePage(userId, id, number, 2);
		expect(await page(1)).toMatchObject({ devices: [[two], [five]], page: 1, pages: 3 });
		expect(await page(2)).toMatchObject({ devices: [[four], [three]], page: 2 });
		for (const last of [3, 4, 9999]) {
			expect(await page(last)).toMatchObject({ devices: [[one]], page: 3 });
		}
		const bobs = await fixture.signIn(bob);
		await fixture.endSessionByToken(bobs.token);
		const none = { devices: [], page: 1, pages: 1 };
		expect(await fixture.readSignedInDevicePage(bobs.user.id, id, 7, 2)).toEqual(none);
	});

	it('have one row each, also when other devices were used between their sessions', async () => {
		const fixture = aFixture();
		const presentedKey = { kind: 'program', key: 'p'.repeat(22) as ProgramKey } as const;
		const enter = async (shown: object) => {
			fixture.clock.advance(600);
			return valueOf(await fixture.enterCode(ada, await fixture.sendTo(ada), shown)).session;
		};
		const [one, other, again] = [
			await enter({ presentedKey }),
			await enter({}),
			await enter({ presentedKey })
		];
		const { userId, id } = again;
		expect(await fixture.readSignedInDevicePage(userId, id, 1, 1)).toMatchObject({
			devices: [[again, one]],
			pages: 2
		});
		expect(await fixture.readSignedInDevicePage(userId, id, 2, 1)).toMatchObject({
			devices: [[other]]
		});
	});
});

describe('ending one session of an account', () => {
	it('E12: takes effect immediately, for that session only', async () => {
		const { fixture, signedIn: here } = await aSignedIn(ada);
		const there = await fixture.signIn(ada);
		expect(await fixture.endSessionById(here.user.id, there.session.id)).toBe(true);
		expect(await fixture.whoIs(there.token)).toBeNull();
		expect(await fixture.whoIs(here.token)).toEqual(here.user);
		expect(await idsOf(fixture, here.user.id)).toEqual([here.session.id]);
	});

	it('E15: does nothing for a missing session or an invalid id', async () => {
		const { fixture, user, session, token } = await aSignedIn(ada);
		const other = await fixture.signIn(ada);
		await fixture.endSessionById(user.id, other.session.id);
		for (const id of [other.session.id, anId<SessionId>(99), '' as SessionId]) {
			expect(await fixture.endSessionById(user.id, id)).toBe(false);
		}
		expect(await idsOf(fixture, user.id)).toEqual([session.id]);
		expect(await fixture.whoIs(token)).not.toBeNull();
	});
});

describe('signing out everywhere', () => {
	it('E20/K08: revokes every code with which an attacker could sign in again', async () => {
		const { fixture, user, session } = await aSignedIn(ada);
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada);
		const bound = await fixture.sendTo(ada, codeKey);
		const proof = await fixture.sendTo(ada, null, 'email_verification');
		const bobs = await fixture.sendTo(bob);
		await fixture.endSessions(user.id, session.id);
		const noCode = { code: 'invalid_code', attemptsLeft: null };
		expect(errorOf(await fixture.enterCode(ada, code))).toEqual(noCode);
		expect(errorOf(await fixture.enterCode(ada, bound, { codeKey }))).toEqual(noCode);
		expect(errorOf(await fixture.prove(ada, proof))).toEqual(noCode);
		expect((await fixture.enterCode(bob, bobs)).ok).toBe(true);
		expect((await fixture.signIn(ada)).user.id).toBe(user.id);
	});
});
