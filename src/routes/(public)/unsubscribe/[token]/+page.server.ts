import { loadUnsubscribe, unsubscribeAction } from '#lib/adapters/web/consent/unsubscribe.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';

export const load = loadUnsubscribe;

export const actions = pageActions('/(public)/unsubscribe/[token]', {
	unsubscribe: unsubscribeAction
});
