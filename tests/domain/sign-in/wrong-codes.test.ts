import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { ProgramKey } from '#lib/domain/secret.ts';
import { aRequestSource, aNetwork } from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, errorOf, type Fixture, wrong } from '../../support/domain/fixture.ts';

const { networkLimit, networkWindow, logAbove } = defaultPolicy.wrongCodes;
const here = { network: aNetwork('here') };
const elsewhere = { network: aNetwork('elsewhere') };

let people = 0;
/** Enters so many wrong codes of different email addresses. */
const guessWrong = async (fixture: Fixture, times: number, from: object = here): Promise<void> => {
	for (let left = times; left > 0; left -= 5) {
		const email = `victim${(people += 1)}@example.com`;
		const code = wrong(await fixture.sendTo(email));
		for (let guess = 0; guess < Math.min(5, left); guess += 1) {
			expect(errorOf(await fixture.enterCode(email, code, from))?.code).toBe('invalid_code');
		}
	}
};

describe('wrong codes of a network', () => {
	it('A17: stop its checks after thirty in ten minutes, at no cost of attempts, and nobody else', async () => {
		const fixture = aFixture();
		await guessWrong(fixture, networkLimit);
		const code = await fixture.sendTo('ada@example.com');
		for (let check = 0; check < 9; check += 1) {
			expect(errorOf(await fixture.enterCode('ada@example.com', code, here))).toEqual({
				code: 'too_many_wrong_codes',
				retryAfter: networkWindow
			});
		}
		expect((await fixture.enterCode('ada@example.com', code, elsewhere)).ok).toBe(true);
		fixture.clock.advance(networkWindow);
		const later = await fixture.sendTo('bob@example.com');
		expect((await fixture.enterCode('bob@example.com', later, here)).ok).toBe(true);
	});

	it('include those at codes for an email change, whose new address is anybody’s', async () => {
		const { fixture, user, session } = await aSignedIn('ada@example.com');
		const confirmed = { user, session: session.id, source: aRequestSource(), ...here };
		const answers = new Set<unknown>();
		for (let change = 0; change < 7; change += 1) {
			const newEmail = `new${change}@example.com`;
			const code = wrong(await fixture.codeToMove({ user, session }, newEmail));
			for (let guess = 0; guess < 5; guess += 1) {
				const moved = await fixture.changeEmailByCode({ ...confirmed, newEmail, code });
				answers.add(change < networkLimit / 5 ? 'compared' : errorOf(moved)?.code);
			}
		}
		expect([...answers]).toEqual(['compared', 'too_many_wrong_codes']);
	});

	it('do not stop a known device of the account, and stop that of another', async () => {
		const fixture = aFixture();
		const presentedKey = { kind: 'program', key: 'k'.repeat(22) as ProgramKey } as const;
		const ask = async (): Promise<string> => {
			await fixture.requestCode({
				email: 'ada@example.com',
				purpose: 'sign_in',
				codeKey: null,
				presentedKey,
				source: aRequestSource(),
				network: aNetwork()
			});
			return fixture.mailer.lastCodeTo('ada@example.com', 'sign_in_code') ?? '';
		};
		expect((await fixture.enterCode('ada@example.com', await ask(), { presentedKey })).ok).toBe(
			true
		);
		await guessWrong(fixture, networkLimit);
		const known = { ...here, presentedKey };
		expect((await fixture.enterCode('ada@example.com', await ask(), known)).ok).toBe(true);
		expect(errorOf(await fixture.enterCode('bob@example.com', '123456', known))?.code).toBe(
			'too_many_wrong_codes'
		);
	});

	it('are only those that were compared with a live code', async () => {
		const fixture = aFixture();
		await guessWrong(fixture, networkLimit - 1);
		const code = await fixture.sendTo('ada@example.com');
		for (let check = 0; check < networkLimit; check += 1) {
			await fixture.enterCode('nobody@example.com', '123456', here);
			await fixture.enterCode('ada@example.com', '12', here);
		}
		expect((await fixture.enterCode('ada@example.com', code, here)).ok).toBe(true);
	});

	it('count before the comparison, so concurrent attempts are not free', async () => {
		const fixture = aFixture();
		const emails = Array.from({ length: 60 }, (_, index) => `many${index}@example.com`);
		const codes = new Map<string, string>();
		for (const email of emails) codes.set(email, wrong(await fixture.sendTo(email)));
		const answers = await Promise.all(
			emails.map((email) => fixture.enterCode(email, codes.get(email) ?? '', here))
		);
		const compared = answers.filter((answer) => errorOf(answer)?.code === 'invalid_code');
		expect(compared).toHaveLength(networkLimit);
	});

	it('A17: are logged once a minute above sixty over all networks', async () => {
		const fixture = aFixture();
		const lines = () =>
			fixture.logged.filter((line) => 'event' in line && line.event === 'many_wrong_codes');
		for (let network = 0; network < logAbove / 20; network += 1) {
			await guessWrong(fixture, 20, { network: aNetwork(`${network}`) });
		}
		expect(lines()).toEqual([]);
		await guessWrong(fixture, 5);
		expect(lines()).toEqual([{ event: 'many_wrong_codes' }]);
		fixture.clock.advance(60);
		await guessWrong(fixture, 5);
		expect(lines()).toHaveLength(1);
	});
});
