import { describe } from 'vitest';
import type { OpenBacking } from '../../support/database/backing.ts';
import { opened, type StoreContract } from './suite.ts';

const files = import.meta.glob<Readonly<Record<string, object>>>('../*/*.contract.ts', {
	eager: true
});

/** Every contract of a store, for one storage. */
export const storesContract = (name: string, open: OpenBacking): void => {
	for (const exported of Object.values(files).flatMap((file) => Object.values(file))) {
		if (!('cases' in exported)) continue;
		const { subject, cases } = exported as StoreContract;
		describe(`${subject} (${name})`, () => cases(opened(open), name));
	}
};
