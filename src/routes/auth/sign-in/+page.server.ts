import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { codeFlowActions, loadCodeFlow } from '#lib/adapters/web/sign-in/code-flow.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCodeFlow('sign-in');

export const actions: Actions = pageActions('/auth/sign-in', codeFlowActions('sign-in'));
