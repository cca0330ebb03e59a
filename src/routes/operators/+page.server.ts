import { loadAccounts } from '#lib/adapters/web/operators/accounts.ts';
import type { PageServerLoad } from './$types';

export const trailingSlash = 'ignore';

export const load: PageServerLoad = loadAccounts;
