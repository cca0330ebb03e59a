import { describe, expect, it } from 'vitest';
import type { ProgramKey } from '#lib/domain/secret.ts';
import { aFixture, aSignedIn, errorOf, valueOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';

describe('the devices of an account', () => {
	it('are listed with the current one first, then the last used, then those that signed out', async () => {
		const fixture = aFixture();
		const opened = [];
		const enter = async (shown: object) => {
			fixture.clock.advance(600);
			return valueOf(await fixture.enterCode(ada, await fixture.sendTo(ada), shown));
		};
		for (let count = 0; count < 4; count += 1) {
			const signedIn = await enter({ keepsCookies: true });
			opened.push(signedIn);
		}
		const [one, two, three, four] = opened;
		const { userId, id } = two?.session ?? (await fixture.signIn(ada)).session;
		const listed = async () =>
			(await fixture.listDevices(userId, id)).map(({ sessions }) => sessions.map(({ id }) => id));
		const idsOf = (...all: (typeof one)[]) => all.map((signedIn) => [signedIn?.session.id]);
		expect(await listed()).toEqual(idsOf(two, four, three, one));
		if (four) await fixture.endSessionByToken(four.token);
		expect(await listed()).toEqual([...idsOf(two, three, one), []]);
		const bobs = await fixture.signIn(bob);
		await fixture.endSessionByToken(bobs.token);
		expect(await fixture.listDevices(bobs.user.id, id)).toEqual([]);
	});

	it('have one row each with the last use, also when an older session on them asks', async () => {
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
		for (const { userId, id } of [one, again]) {
			expect(await fixture.listDevices(userId, id)).toMatchObject([
				{ usedAt: again.updatedAt, sessions: [again, one] },
				{ sessions: [other] }
			]);
		}
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
		await fixture.endSessionsExcept(user.id, session.id);
		const noCode = { code: 'invalid_code', attemptsLeft: null };
		expect(errorOf(await fixture.enterCode(ada, code))).toEqual(noCode);
		expect(errorOf(await fixture.enterCode(ada, bound, { codeKey }))).toEqual(noCode);
		expect(errorOf(await fixture.prove(ada, proof))).toEqual(noCode);
		expect((await fixture.enterCode(bob, bobs)).ok).toBe(true);
		expect((await fixture.signIn(ada)).user.id).toBe(user.id);
	});
});
