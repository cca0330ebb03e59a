import { loadAccounts } from '#lib/adapters/web/operators/accounts.ts';

// A redirect would show everybody that the page exists.
export const trailingSlash = 'ignore';

export const load = loadAccounts;
