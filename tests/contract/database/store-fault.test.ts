import { expect, test } from 'vitest';
import { onViolation, storeFault } from '#lib/adapters/sql/sql.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';

const failed = (code: unknown, cause?: unknown): Error =>
	Object.assign(new TypeError('secret', { cause }), { code });
const nested = (depth: number): Error =>
	depth === 0 ? failed('23505') : new Error('secret', { cause: nested(depth - 1) });

test.each([
	[failed('SQLITE_BUSY'), 'SQLITE_BUSY'],
	[failed('SECRET ada@example.com', failed('08006')), '08006'],
	[failed(23505), 'TypeError'],
	[failed('A'.repeat(41)), 'TypeError'],
	[nested(3), '23505'],
	[new StoreUnavailable('23505'), '23505'],
	[nested(4), 'Error'],
	[new RangeError('secret'), 'RangeError'],
	[{ code: '23505' }, 'object'],
	['23505', 'string']
])('of a driver’s error, only a code or a class name leaves the adapter: %#', (error, reason) => {
	expect(storeFault(error)).toMatchObject({ message: `store unavailable (${reason})`, reason });
});

test.each(['a secret', '', 'a secret\n    at another secret'])(
	'of a bug, the frames of its stack leave the adapter too, without its message: %j',
	(message) => {
		const { frames } = storeFault(new RangeError(message));
		expect(frames).toMatch(/^\n {4}at .*store-fault\.test\.ts/);
		expect(frames).not.toContain('secret');
		expect(storeFault(failed('SQLITE_BUSY')).frames).toBe('');
	}
);

test('a unique violation is recognised by the code of either engine', () => {
	for (const code of ['23505', 'SQLITE_CONSTRAINT_UNIQUE']) {
		expect(onViolation('unique', 'taken')(storeFault(failed(code)))).toBe('taken');
	}
	for (const other of [storeFault(failed('23503')), failed('23505'), null]) {
		expect(() => onViolation('unique', 'taken')(other)).toThrow();
	}
});
