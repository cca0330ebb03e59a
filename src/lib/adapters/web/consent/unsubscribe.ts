import { fail, redirect, type ActionFailure, type RequestEvent } from '@sveltejs/kit';
import type { ConsentOccasion } from '#lib/domain/consent/ports.ts';
import { err, type ErrorOf, type Result } from '#lib/domain/errors.ts';
import { parseUnsubscribeToken } from '#lib/domain/secret.ts';
import { outcomeOf } from '../http/outcome.ts';
import { logEvent } from '../http/log-event.ts';
import { onPage } from './occasion.ts';
import { unsubscribeWording } from './wordings.ts';

/**
 * Loads the page of a link. Opening it changes nothing, because programs that check links open them
 * too. The page never names the account.
 */
export const loadUnsubscribe = async (event: RequestEvent) => {
	const token = parseUnsubscribeToken(event.params.token ?? '');
	const link = token && (await event.locals.app.readUnsubscribeLink(token));
	if (!link) return { state: 'unknown' as const };
	return { state: link.isSubscribed ? ('asks' as const) : ('done' as const) };
};

/** Posting the form withdraws the consent. */
export const unsubscribeAction = async (
	event: RequestEvent
): Promise<ActionFailure<{ refused: string }>> => {
	const occasion = onPage(event, unsubscribeWording(event.locals.app.config.siteName));
	const done = await unsubscribeWith(event, event.params.token, occasion);
	if (done.ok) redirect(303, event.url.pathname);
	const { status, text } = outcomeOf(done.error);
	return fail(status, { refused: text });
};

/** Withdraws the consent of a link's account. A text that cannot be a token never reaches the store. */
export const unsubscribeWith = async (
	event: RequestEvent,
	typed: string | undefined,
	occasion: ConsentOccasion
): Promise<Result<null, ErrorOf<'unknown_unsubscribe_link'>>> => {
	const token = parseUnsubscribeToken(typed ?? '');
	const done =
		token === null
			? err({ code: 'unknown_unsubscribe_link' } as const)
			: await event.locals.app.withdrawByLink(token, occasion);
	const outcome = done.ok ? 'ok' : done.error.code;
	logEvent(event, 'unsubscribed', { via: event.route.id, outcome });
	return done;
};
