import { pageActions } from '#lib/adapters/web/page-rules.ts';
import {
	loadEmailChangeLink,
	emailChangeLinkActions
} from '#lib/adapters/web/email-change/confirm-link.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadEmailChangeLink;

export const actions = pageActions('/auth/verify-email', emailChangeLinkActions) satisfies Actions;
