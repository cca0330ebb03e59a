import { loadUndo, undoAction } from '#lib/adapters/web/email-change/undo.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadUndo;

export const actions = pageActions('/auth/undo-email-change/[token]', {
	undo: undoAction
}) satisfies Actions;
