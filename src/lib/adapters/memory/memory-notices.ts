import type { ChangeNotice, ChangeNotices } from '#lib/domain/index.ts';

export interface KeptNotice extends ChangeNotice {
	readonly stage: 'requested' | 'completed';
}

export interface MemoryNotices extends ChangeNotices {
	/** Every notice so far, in order. */
	readonly notices: readonly KeptNotice[];
}

/** Keeps notices instead of telling anybody. */
export const memoryNotices = (): MemoryNotices => {
	const notices: KeptNotice[] = [];
	return {
		notices,
		requested: async (notice) => void notices.push({ ...notice, stage: 'requested' }),
		completed: async (notice) => void notices.push({ ...notice, stage: 'completed' })
	};
};
