import { confirmActions, loadConfirm } from '#lib/adapters/web/operators/confirm.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const trailingSlash = 'ignore';

export const load: PageServerLoad = loadConfirm;

export const actions: Actions = pageActions('/operators/confirm', confirmActions);
