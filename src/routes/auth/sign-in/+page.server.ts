import { codeFlowActions, loadCodeFlow } from '#lib/adapters/web/sign-in/code-flow.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCodeFlow('sign-in');

export const actions: Actions = codeFlowActions;
