import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { codeFlowActions, loadCodeFlow } from '#lib/adapters/web/sign-in/code-flow.ts';

export const load = loadCodeFlow('login');

export const actions = pageActions('/auth/login', codeFlowActions('login'));
