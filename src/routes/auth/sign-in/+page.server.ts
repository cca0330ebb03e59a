import { codeFlowActions, loadCodeFlow } from '#lib/adapters/web/code-flow.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCodeFlow('sign-in');

export const actions: Actions = codeFlowActions;
