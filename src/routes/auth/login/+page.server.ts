import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { codeFlowActions, loadCodeFlow } from '#lib/adapters/web/sign-in/code-flow.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCodeFlow('login');

export const actions: Actions = pageActions('/auth/login', codeFlowActions('login'));
