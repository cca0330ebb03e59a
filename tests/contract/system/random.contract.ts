import { expect, it } from 'vitest';
import type { Random } from '#lib/domain/ports.ts';
import { contract } from '../stores/suite.ts';

export const randomContract = contract('a random source', (open: () => Random) => {
	it.each([0, 1, 12, 32, 1000])('returns exactly the requested number of bytes: %i', (count) => {
		const bytes = open().bytes(count);
		expect(bytes).toBeInstanceOf(Uint8Array);
		expect(bytes.length).toBe(count);
	});

	it('does not repeat itself', () => {
		const random = open();
		const draws = Array.from({ length: 1000 }, () => random.bytes(16).join());
		expect(new Set(draws).size).toBe(1000);
	});

	it('does not change earlier bytes when it returns new ones', () => {
		const random = open();
		const bytes = random.bytes(32);
		const copy = Uint8Array.from(bytes);
		random.bytes(32);
		expect([...bytes]).toEqual([...copy]);
	});

	it('returns every byte about equally often', () => {
		const seen = new Array<number>(256).fill(0);
		for (const byte of open().bytes(256_000)) seen[byte] = (seen[byte] ?? 0) + 1;
		// 1000 each; a fair source never strays by 500, sixteen standard deviations.
		expect(Math.min(...seen)).toBeGreaterThan(500);
		expect(Math.max(...seen)).toBeLessThan(1500);
	});
});
