import { expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { signIn } from '../account/account-examples.ts';
import { ada, anEmail, at, bob } from '../stores/examples.ts';
import { atOnce } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';

const HOUR = 3600;

export const codeCountsContract = storeContract('code counts', (backing) => {
	const port = () => backing.stores.events;
	const account = (email = ada) => signIn(backing.stores, email);
	const eventsOf = async (id: UserId) =>
		(await port().pageOf(id, null, 100)).filter(({ kind }) => kind !== 'signed_up');
	const count = (email: Email, hours = 0, count = 1) =>
		({ kind: 'code_refused', email, hour: at(hours * HOUR), count }) as const;

	it('each account has one row of a kind and hour, and an unknown address none', async () => {
		const { user } = await account();
		const other = await account(bob);
		await port().addCodeCounts([count(ada, 1, 3), count(bob, 1), count(anEmail(), 1, 9)]);
		await port().addCodeCounts([count(ada, 1, 2), count(ada, 2)]);
		await port().addCodeCounts([{ ...count(ada, 1), kind: 'code_sent' }]);
		const nobody = { actor: { kind: 'system' }, requestId: null, ipAddress: null };
		const counted = await eventsOf(user.id);
		expect(counted.map(({ kind, at, count }) => [kind, at, count])).toEqual(
			expect.arrayContaining([
				['code_refused', at(2 * HOUR), 1],
				['code_refused', at(HOUR), 5],
				['code_sent', at(HOUR), 1]
			])
		);
		expect(counted).toMatchObject([nobody, nobody, nobody]);
		expect(await eventsOf(other.user.id)).toMatchObject([{ count: 1 }]);
		expect(await backing.rows('events')).toBe(6);
	});

	it('concurrent counts of several instances all add up', async () => {
		const people = [await account(), await account(bob)];
		await atOnce(backing.instances, 20, ({ events }, index) => {
			const counts = [count(ada), count(bob)];
			return events.addCodeCounts(index % 3 === 0 ? counts.reverse() : counts);
		});
		for (const { user } of people) {
			const rows = (await eventsOf(user.id)).filter(({ kind }) => kind === 'code_refused');
			expect(rows).toMatchObject([{ count: 20 }]);
		}
	});
});
