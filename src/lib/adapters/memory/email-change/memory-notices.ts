import type { ChangeNotice, ChangeNotices } from '#lib/domain/index.ts';

export interface KeptNotice extends ChangeNotice {
	readonly stage: 'requested' | 'completed';
}

export interface MemoryNotices extends ChangeNotices {
	readonly notices: readonly KeptNotice[];
}

/** Stores notices instead of sending them. */
export const memoryNotices = (): MemoryNotices => {
	const notices: KeptNotice[] = [];
	return {
		notices,
		requested: async (notice) => void notices.push({ ...notice, stage: 'requested' }),
		completed: async (notice) => void notices.push({ ...notice, stage: 'completed' })
	};
};
