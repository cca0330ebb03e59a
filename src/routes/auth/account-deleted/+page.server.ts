import {
	deletedAccountActions,
	loadDeletedAccount
} from '#lib/adapters/web/account/deleted-account.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadDeletedAccount;

export const actions: Actions = pageActions('/auth/account-deleted', deletedAccountActions);
