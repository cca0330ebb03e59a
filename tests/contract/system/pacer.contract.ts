import { expect, it } from 'vitest';
import type { Pacer } from '#lib/domain/pacer.ts';
import { contract } from '../stores/suite.ts';

export const pacerContract = contract('a pacer', (open: () => Pacer) => {
	it('runs a piece of a long task immediately and returns its result', async () => {
		const order: string[] = [];
		const given = open().paced(async () => {
			order.push('piece');
			return 7;
		});
		order.push('asked');
		expect(await given).toBe(7);
		expect(order).toEqual(['piece', 'asked']);
	});

	it('a failed piece throws to its caller', async () => {
		const error = new Error('no');
		await expect(open().paced(() => Promise.reject(error))).rejects.toBe(error);
	});
});
