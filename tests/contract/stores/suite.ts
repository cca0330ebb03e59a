import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Backing, OpenBacking } from '../../support/database/backing.ts';

/** One storage for the whole suite, empty before every case. */
export const opened = (open: OpenBacking): (() => Backing) => {
	let backing: Backing | undefined;
	beforeAll(async () => {
		backing = await open();
	});
	beforeEach(() => backing?.clear());
	afterAll(() => backing?.close());
	return () => {
		if (backing === undefined) throw new Error('not open yet');
		return backing;
	};
};

/** Opens the storage for the first of several suites and closes it after the last one. */
export const shared = <Opened extends Backing>(
	open: () => Promise<Opened>
): (() => Promise<Opened>) => {
	let backing: Promise<Opened> | undefined;
	afterAll(async () => (await backing)?.close());
	return async () => {
		const kept = await (backing ??= open());
		return Object.create(kept, { close: { value: async () => undefined } });
	};
};
