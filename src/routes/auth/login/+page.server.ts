import { codeFlowActions, loadCodeFlow } from '#lib/adapters/web/code-flow.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCodeFlow('login');

export const actions: Actions = codeFlowActions;
