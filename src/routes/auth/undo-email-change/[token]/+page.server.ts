import { loadUndo, undoAction } from '#lib/adapters/web/email-change/undo.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';

export const load = loadUndo;

export const actions = pageActions('/auth/undo-email-change/[token]', {
	undo: undoAction
});
