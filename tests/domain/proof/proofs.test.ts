import { describe, expect, test } from 'vitest';
import { fixedClock } from '#lib/adapters/memory/fixed-clock.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { ProofScope } from '#lib/domain/proof/proof-scope.ts';
import { makeProofs } from '#lib/domain/proof/proofs.ts';
import type { PuzzleTerms, Puzzles } from '#lib/domain/proof/puzzles.ts';
import { aSigner } from '../../support/domain/fixture.ts';
import { start } from '../../support/domain/builders.ts';

const scope: ProofScope = { purpose: 'send', email: 'ada@example.com', client: 'browser b' };
const others: Readonly<Record<string, ProofScope>> = {
	'another purpose': { ...scope, purpose: 'check' },
	'another email address': { ...scope, email: 'bob@example.com' },
	'another client': { ...scope, client: 'browser c' },
	'a program with the same key': { ...scope, client: 'program b' },
	'no client': { ...scope, client: null }
};
const { lifetime, ticketWait } = defaultPolicy.proof;

/** Puzzles whose answer is a list of their terms and whether they are solved. */
const openPuzzles = () => {
	let verified = 0;
	const puzzles: Puzzles = {
		make: async ({ binding, level, expiresAt }) =>
			({ signature: JSON.stringify([binding, level, expiresAt.getTime(), 'right']) }) as never,
		parse: (text) => {
			if (!text.startsWith('[')) return null;
			const [binding, level, expiresAt, answer] = JSON.parse(text) as [
				string,
				number,
				number,
				string
			];
			const terms: PuzzleTerms = { binding, level, expiresAt: new Date(expiresAt) };
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
	const answer = async (to = scope): Promise<string> => (await proofs.puzzle(to, 3)).signature;
	return { clock, proofs, answer, verifications };
};

describe('the answer to a puzzle', () => {
	test('proves the level of the puzzle, and says when it was made and expires', async () => {
		const { clock, proofs, answer } = aDesk();
		const text = await answer();
		clock.advance(lifetime - 1);
		expect(await proofs.readAnswer(scope, text)).toEqual({
			kind: 'work',
			id: expect.any(String),
			level: 3,
			issuedAt: start,
			expiresAt: new Date(start.getTime() + lifetime * 1000)
		});
	});

	test('is for the same email address in another spelling', async () => {
		const { proofs, answer } = aDesk();
		const typed = { ...scope, email: ' Ada@EXAMPLE.com ' };
		expect(await proofs.readAnswer(typed, await answer())).toMatchObject({ kind: 'work' });
	});

	test.each(Object.entries(others))('is worth nothing for %s', async (_, other) => {
		const { proofs, answer, verifications } = aDesk();
		expect(await proofs.readAnswer(other, await answer())).toBeNull();
		expect(verifications()).toBe(0);
	});

	test('is worth nothing after five minutes, and with a time that no puzzle has yet', async () => {
		const { clock, proofs, answer } = aDesk();
		const text = await answer();
		clock.advance(lifetime);
		expect(await proofs.readAnswer(scope, text)).toBeNull();
		clock.advance(-lifetime - 1);
		expect(await proofs.readAnswer(scope, text)).toBeNull();
		clock.advance(1);
		expect(await proofs.readAnswer(scope, text)).not.toBeNull();
	});

	test('that is wrong is null, and text that is none is undefined', async () => {
		const { proofs, answer } = aDesk();
		const wrong = (await answer()).replace('right', 'wrong');
		expect(await proofs.readAnswer(scope, wrong)).toBeNull();
		expect(await proofs.readAnswer(scope, 'no answer')).toBeUndefined();
	});

	test('of an email address that cannot be one is bound to its text', async () => {
		const { proofs, answer } = aDesk();
		const typed = { ...scope, email: 'no address' };
		expect(await proofs.readAnswer(typed, await answer(typed))).not.toBeNull();
		expect(await proofs.readAnswer({ ...scope, email: 'another' }, await answer(typed))).toBeNull();
	});
});

describe('a ticket', () => {
	test('says how long it is too early, and is valid after 20 seconds for five minutes', () => {
		const { clock, proofs } = aDesk();
		const ticket = proofs.ticket(scope);
		expect(proofs.readTicket(scope, ticket)).toEqual({ seconds: ticketWait });
		clock.advance(ticketWait - 0.5);
		expect(proofs.readTicket(scope, ticket)).toEqual({ seconds: 1 });
		clock.advance(0.5);
		const valid = {
			kind: 'ticket',
			id: ticket.split('.')[1],
			level: 0,
			issuedAt: start,
			expiresAt: new Date(start.getTime() + lifetime * 1000)
		};
		expect(proofs.readTicket(scope, ticket)).toEqual(valid);
		clock.advance(lifetime - ticketWait - 0.001);
		expect(proofs.readTicket(scope, ticket)).toEqual(valid);
		clock.advance(0.001);
		expect(proofs.readTicket(scope, ticket)).toBeNull();
	});

	test.each(Object.entries(others))('is worth nothing for %s', (_, other) => {
		const { clock, proofs } = aDesk();
		const ticket = proofs.ticket(scope);
		clock.advance(ticketWait);
		expect(proofs.readTicket(other, ticket)).toBeNull();
	});

	test('with another time or a second spelling of its signature is none', () => {
		const { clock, proofs } = aDesk();
		const ticket = proofs.ticket(scope);
		const [instant = '', id = ''] = ticket.split('.');
		clock.advance(ticketWait);
		const earlier = String(Number(instant) - 1000);
		// Two bits of the last character are unused, so three other characters decode to the same.
		const twin = id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) + 1);
		for (const forged of [
			`${earlier}.${id}`,
			`0${ticket}`,
			`${instant}.${twin}`,
			`${ticket}=`,
			`${ticket}.`,
			`${ticket} `,
			id,
			`${instant}.`,
			'',
			'.',
			`${'9'.repeat(400)}.${id}`
		]) {
			expect([forged, proofs.readTicket(scope, forged)]).toEqual([forged, null]);
		}
		expect(proofs.readTicket(scope, ticket)).toMatchObject({ kind: 'ticket' });
	});

	test('of a time to come is none: the clock was set back', () => {
		const { clock, proofs } = aDesk();
		const ticket = proofs.ticket(scope);
		clock.advance(-1);
		expect(proofs.readTicket(scope, ticket)).toBeNull();
	});

	test('stays valid while the secret is rotated', () => {
		const { proofs: old } = aDesk('old');
		const { clock, proofs } = aDesk('new', 'old');
		clock.advance(ticketWait);
		expect(proofs.readTicket(scope, old.ticket(scope))).toMatchObject({ kind: 'ticket' });
	});
});
