import { accountActions, loadAccount } from '#lib/adapters/web/operators/accounts.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';

// A redirect would show everybody that the page exists.
export const trailingSlash = 'ignore';

export const load = loadAccount;

export const actions = pageActions('/operators/accounts/[id]', accountActions);
