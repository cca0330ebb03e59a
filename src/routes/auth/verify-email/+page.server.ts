import { pageActions } from '#lib/adapters/web/page-rules.ts';
import {
	loadEmailChangeLink,
	emailChangeLinkActions
} from '#lib/adapters/web/email-change/confirm-link.ts';

export const load = loadEmailChangeLink;

export const actions = pageActions('/auth/verify-email', emailChangeLinkActions);
