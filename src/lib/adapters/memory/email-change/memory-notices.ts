import type { ChangeNoticeMail, ChangeNotices, Email, UndoToken } from '#lib/domain/index.ts';

export interface KeptNotice extends Pick<ChangeNoticeMail, 'at' | 'device' | 'stage'> {
	/** The address before the change, which gets the notice. */
	readonly from: Email;
	readonly to: Email;
}

export interface MemoryNotices extends ChangeNotices {
	readonly notices: readonly KeptNotice[];
	/** The tokens of the notices that can undo their change, the newest last. */
	readonly undoTokens: readonly UndoToken[];
}

/** Stores notices instead of sending them. */
export const memoryNotices = (): MemoryNotices => {
	const notices: KeptNotice[] = [];
	const undoTokens: UndoToken[] = [];
	return {
		notices,
		undoTokens,
		stages: ['requested', 'completed'],
		send: async ({ to: from, newEmail: to, at, device, stage, undoToken }) => {
			if (undoToken !== null) undoTokens.push(undoToken);
			notices.push({ from, to, at, device, stage });
			return 'sent';
		}
	};
};
