import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Backing } from '../../support/database/backing.ts';

/** What an adapter of this kind promises. */
export const contract =
	<Open>(subject: string, cases: (open: Open) => void) =>
	(name: string, open: Open): void =>
		void describe(`${subject} (${name})`, () => cases(open));

/** One storage for the whole suite, empty before every case. */
export const opened = <Opened extends Backing>(open: () => Promise<Opened>): Opened => {
	let backing: Opened | undefined;
	beforeAll(async () => {
		backing = await open();
	});
	beforeEach(() => backing?.clear());
	afterAll(() => backing?.close());
	return new Proxy({} as Opened, {
		get: (_, name) => {
			if (backing === undefined) throw new Error('not open yet');
			return Reflect.get(backing, name);
		}
	});
};

export interface StoreContract {
	readonly subject: string;
	readonly cases: (backing: Backing, name: string) => void;
}

/** What every storage promises. `all-stores.ts` finds it. */
export const storeContract = (
	subject: StoreContract['subject'],
	cases: StoreContract['cases']
): StoreContract => ({ subject, cases });

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
