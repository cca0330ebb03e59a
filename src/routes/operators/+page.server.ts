import { loadAccounts } from '#lib/adapters/web/operators/accounts.ts';

export const trailingSlash = 'ignore';

export const load = loadAccounts;
