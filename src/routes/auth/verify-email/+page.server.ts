import { pageActions } from '#lib/adapters/web/page-rules.ts';
import {
	loadVerifyEmail,
	verifyEmailActions
} from '#lib/adapters/web/email-change/confirm-link.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadVerifyEmail;

export const actions = pageActions('/auth/verify-email', verifyEmailActions) satisfies Actions;
