import type { ChangeNoticeMail, ChangeNotices, Email } from '#lib/domain/index.ts';

export interface KeptNotice extends Pick<ChangeNoticeMail, 'at' | 'device' | 'stage'> {
	/** The address before the change, which gets the notice. */
	readonly from: Email;
	readonly to: Email;
}

export interface MemoryNotices extends ChangeNotices {
	readonly notices: readonly KeptNotice[];
}

/** Stores notices instead of sending them. */
export const memoryNotices = (): MemoryNotices => {
	const notices: KeptNotice[] = [];
	return {
		notices,
		stages: ['requested', 'completed'],
		send: async ({ to: from, newEmail: to, at, device, stage }) => {
			notices.push({ from, to, at, device, stage });
			return 'sent';
		}
	};
};
