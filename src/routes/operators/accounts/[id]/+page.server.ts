import { accountActions, loadAccount } from '#lib/adapters/web/operators/accounts.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const trailingSlash = 'ignore';

export const load: PageServerLoad = loadAccount;

export const actions: Actions = pageActions('/operators/accounts/[id]', accountActions);
