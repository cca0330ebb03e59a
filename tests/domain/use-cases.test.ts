import { expect, test } from 'vitest';

/** What the files export, such as `{ signIn: { requestCode, … } }`. */
const files = import.meta.glob<Readonly<Record<string, object>>>(
	'../../src/lib/domain/*/use-cases.ts',
	{ eager: true }
);

test('no two capabilities have a use-case of one name, of which one would be lost', () => {
	const exported = Object.values(files).flatMap((file) => Object.values(file));
	const names = exported.flatMap((capability) => Object.keys(capability));
	expect(names).toContain('verifyCode');
	expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});
