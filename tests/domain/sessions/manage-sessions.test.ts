import { describe, expect, it } from 'vitest';
import type { ProgramKey } from '#lib/domain/secret.ts';
import { aFixture, aSignedIn, errorOf, valueOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';

describe('the devices an account is signed in on', () => {
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

describe('signing out everywhere', () => {
	it('E20/K08: revokes every code with which an attacker could sign in again', async () => {
		const { fixture, user, session } = await aSignedIn(ada);
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada);
		const bound = await fixture.sendTo(ada, codeKey);
		const proof = await fixture.sendTo(ada, null, 'email_verification');
		const bobs = await fixture.sendTo(bob);
		await fixture.endAllSessions(user.id, session.id);
		const noCode = { code: 'invalid_code', attemptsLeft: null };
		expect(errorOf(await fixture.enterCode(ada, code))).toEqual(noCode);
		expect(errorOf(await fixture.enterCode(ada, bound, { codeKey }))).toEqual(noCode);
		expect(errorOf(await fixture.prove(ada, proof))).toEqual(noCode);
		expect((await fixture.enterCode(bob, bobs)).ok).toBe(true);
		expect((await fixture.signIn(ada)).user.id).toBe(user.id);
	});
});
