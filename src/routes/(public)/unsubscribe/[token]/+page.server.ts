import { loadUnsubscribe, unsubscribeAction } from '#lib/adapters/web/consent/unsubscribe.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadUnsubscribe;

export const actions = pageActions('/(public)/unsubscribe/[token]', {
	unsubscribe: unsubscribeAction
}) satisfies Actions;
