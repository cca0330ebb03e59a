import {
	deletedAccountActions,
	loadDeletedAccount
} from '#lib/adapters/web/account/deleted-account.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';

export const load = loadDeletedAccount;

export const actions = pageActions('/auth/account-deleted', deletedAccountActions);
