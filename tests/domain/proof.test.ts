import { describe, expect, test } from 'vitest';
import { fixedClock } from '../support/memory/drivers.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { err, ok } from '#lib/domain/errors.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { ProofPuzzles, ProofScope, ProofTerms } from '#lib/domain/proof/ports.ts';
import { makeProofs } from '#lib/domain/proof/proofs.ts';
import { aSigner } from '../support/domain/fixture.ts';
import { start } from '../support/domain/builders.ts';

const scope: ProofScope = { email: 'ada@example.com', client: 'browser b' };
const others: Readonly<Record<string, ProofScope>> = {
	'another email address': { ...scope, email: 'bob@example.com' },
	'another client': { ...scope, client: 'browser c' },
	'a program with the same key': { ...scope, client: 'program b' },
	'no client': { ...scope, client: null }
};
const { lifetime } = defaultPolicy.proof;

/** Puzzles whose answer is a list of their terms and whether they are solved. */
const openPuzzles = () => {
	let verified = 0;
	const puzzles: ProofPuzzles = {
		make: async ({ binding, expiresAt }) =>
			({ signature: JSON.stringify([binding, expiresAt.getTime(), 'right']) }) as never,
		parse: (text) => {
			if (!text.startsWith('[')) return null;
			const [binding, expiresAt, answer] = JSON.parse(text) as [string, number, string];
			const terms: ProofTerms = { binding, expiresAt: new Date(expiresAt) };
			const verify = async (): Promise<boolean> => {
				verified += 1;
				return answer === 'right';
			};
			return { id: binding.slice(0, 8), terms, verify };
		}
	};
	return { puzzles, verifications: () => verified };
};

const aDesk = (...keys: readonly string[]) => {
	const clock = fixedClock(start);
	const { puzzles, verifications } = openPuzzles();
	const signer = aSigner(...keys);
	const domainNames = nodeDomainNames();
	const proofs = makeProofs({ puzzles, signer, clock, domainNames, policy: defaultPolicy });
	const answer = async (to = scope): Promise<string> => (await proofs.puzzle(to)).signature;
	return { clock, proofs, answer, verifications };
};

describe('the answer to a puzzle', () => {
	test('is a proof that says when it expires', async () => {
		const { clock, proofs, answer } = aDesk();
		const text = await answer();
		clock.advance(lifetime - 1);
		expect(await proofs.readAnswer(scope, text)).toEqual(
			ok({ id: expect.any(String), expiresAt: new Date(start.getTime() + lifetime * 1000) })
		);
	});

	test('is for the same email address in another spelling', async () => {
		const { proofs, answer } = aDesk();
		const typed = { ...scope, email: ' Ada@EXAMPLE.com ' };
		expect(await proofs.readAnswer(typed, await answer())).toMatchObject({ value: {} });
	});

	test.each(Object.entries(others))('is worth nothing for %s', async (_, other) => {
		const { proofs, answer, verifications } = aDesk();
		expect(await proofs.readAnswer(other, await answer())).toEqual(ok(null));
		expect(verifications()).toBe(0);
	});

	test('is worth nothing after five minutes, and with a time that no puzzle has yet', async () => {
		const { clock, proofs, answer } = aDesk();
		const text = await answer();
		clock.advance(lifetime);
		expect(await proofs.readAnswer(scope, text)).toEqual(ok(null));
		clock.advance(-lifetime - 1);
		expect(await proofs.readAnswer(scope, text)).toEqual(ok(null));
		clock.advance(1);
		expect(await proofs.readAnswer(scope, text)).not.toEqual(ok(null));
	});

	test('that is wrong is no proof, and text that is none is invalid', async () => {
		const { proofs, answer } = aDesk();
		const wrong = (await answer()).replace('right', 'wrong');
		expect(await proofs.readAnswer(scope, wrong)).toEqual(ok(null));
		expect(await proofs.readAnswer(scope, 'no answer')).toEqual(err({ code: 'invalid_proof' }));
	});

	test('of an email address that cannot be one is bound to its text', async () => {
		const { proofs, answer } = aDesk();
		const typed = { ...scope, email: 'no address' };
		expect(await proofs.readAnswer(typed, await answer(typed))).not.toEqual(ok(null));
		expect(await proofs.readAnswer({ ...scope, email: 'another' }, await answer(typed))).toEqual(
			ok(null)
		);
	});
});

test('an answer stays valid while the secret is rotated', async () => {
	const { answer } = aDesk('old');
	const { proofs } = aDesk('new', 'old');
	expect(await proofs.readAnswer(scope, await answer())).not.toEqual(ok(null));
});
