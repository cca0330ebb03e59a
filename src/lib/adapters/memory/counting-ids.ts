import type { Ids } from '#lib/domain/index.ts';

/** Valid, ascending and readable UUIDs of version 7: `…-000000000001`, `…-000000000002`, … */
export const countingIds = (): Ids => {
	let last = 0;
	return {
		next: () => {
			last += 1;
			return `00000000-0000-7000-8000-${last.toString(16).padStart(12, '0')}`;
		}
	};
};
