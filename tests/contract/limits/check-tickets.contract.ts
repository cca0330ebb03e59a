import { describe, expect, it } from 'vitest';
import { checkTicketsOf } from '#lib/domain/limits/check-tickets.ts';
import type { SendProof } from '#lib/domain/limits/send-proof.ts';
import type { OpenBacking } from '../../support/database/backing.ts';
import { aNetwork, aProof } from '../../support/domain/builders.ts';
import { at, policy } from '../stores/examples.ts';
import { atOnce, type Instances } from '../stores/races.ts';
import { opened } from '../stores/suite.ts';

/** Checks by ticket in a minute. */
export const TICKETS = checkTicketsOf(policy);

const aTicket = (changes: Partial<SendProof> = {}): SendProof =>
	aProof({ kind: 'ticket', level: 0, ...changes });

/** How many tickets of different networks are spent for checks in one minute. */
export const raceCheckTickets = async (instances: Instances, count: number): Promise<number> => {
	const spent = await atOnce(instances, count, ({ spentProofs }, index) =>
		spentProofs.spend(aTicket(), aNetwork(`network ${index}`), at(30), policy)
	);
	return spent.filter(Boolean).length;
};

export const checkTicketsContract = (name: string, open: OpenBacking): void => {
	describe(`tickets for checks (${name})`, () => {
		const backing = opened(open);
		const port = () => backing().stores.spentProofs;
		let networks = 0;
		const spend = (proof: SendProof, seconds: number) =>
			port().spend(proof, aNetwork(`network ${(networks += 1)}`), at(seconds), policy);
		const use = async (tickets: number, seconds: number): Promise<void> => {
			for (let used = 0; used < tickets; used += 1) {
				expect(await spend(aTicket(), seconds)).toBe(true);
			}
		};

		it('those of a minute are counted over all networks, and the next minute is new', async () => {
			await use(TICKETS, 59);
			expect(await spend(aTicket(), 59.999)).toBe(false);
			expect(await port().ticketsSpent(at(0))).toBe(TICKETS);
			expect(await port().ticketsSpent(at(60))).toBe(0);
			await use(TICKETS, 60);
		});

		it('one that is refused is not spent', async () => {
			const late = aTicket();
			await use(TICKETS, 0);
			expect(await spend(late, 1)).toBe(false);
			expect(await port().ticketsSpent(at(1))).toBe(TICKETS);
			expect(await spend(late, 60)).toBe(true);
			expect(await spend(late, 61)).toBe(false);
			expect(await port().ticketsSpent(at(61))).toBe(1);
		});

		it('work is not counted, and is accepted when they are used up', async () => {
			expect(await spend(aProof(), 0)).toBe(true);
			expect(await port().ticketsSpent(at(0))).toBe(0);
			await use(TICKETS, 0);
			expect(await spend(aProof(), 0)).toBe(true);
		});

		it('of concurrent ones exactly as many as allowed are spent', async () => {
			expect(await raceCheckTickets(backing().instances, 20)).toBe(TICKETS);
			expect(await port().ticketsSpent(at(30))).toBe(TICKETS);
		});
	});
};
