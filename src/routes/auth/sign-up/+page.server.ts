import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { codeFlowActions, loadCodeFlow } from '#lib/adapters/web/sign-in/code-flow.ts';

export const load = loadCodeFlow('sign-up');

export const actions = pageActions('/auth/sign-up', codeFlowActions('sign-up'));
