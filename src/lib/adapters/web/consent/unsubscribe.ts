import { fail, redirect, type RequestEvent } from '@sveltejs/kit';
import type { UseCases } from '#lib/domain/use-cases.ts';
import type { User } from '#lib/domain/user.ts';
import type { ConsentOccasion } from '#lib/domain/consent/ports.ts';
import { err, type ErrorOf, type Result } from '#lib/domain/errors.ts';
import { parseUnsubscribeToken } from '#lib/domain/secret.ts';
import { oneClickUnsubscribePath, unsubscribePath } from '#lib/emailed-paths.ts';
import { outcomeOf } from '../http/outcome.ts';
import { logEvent } from '../http/log-event.ts';
import { pageOccasion, unsubscribeWording } from './occasion.ts';

/** Unsubscribe links for the emails of the application. All are null when the account is gone. */
export const unsubscribeUrls = (
	origin: string,
	{ issueUnsubscribeToken }: Pick<UseCases, 'issueUnsubscribeToken'>
) => ({
	/** For the text of an email: opens a page that asks for one press. */
	url: async (user: Pick<User, 'id'>): Promise<string | null> => {
		const token = await issueUnsubscribeToken(user);
		return token && origin + unsubscribePath(token);
	},
	/** For the headers of an email: email apps then show an unsubscribe button (RFC 8058). */
	headers: async (user: Pick<User, 'id'>) => {
		const token = await issueUnsubscribeToken(user);
		return (
			token && {
				'List-Unsubscribe': `<${origin}${oneClickUnsubscribePath(token)}>`,
				'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'
			}
		);
	}
});

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
export const unsubscribeAction = async (event: RequestEvent) => {
	const wording = unsubscribeWording(event.locals.app.config.siteName);
	const done = await unsubscribeWith(event, pageOccasion(event, wording));
	return done.ok ? redirect(303, event.url.pathname) : fail(outcomeOf(done.error).status);
};

/** Withdraws the consent of a link's account. A text that cannot be a token never reaches the store. */
export const unsubscribeWith = async (
	event: RequestEvent,
	occasion: ConsentOccasion
): Promise<Result<null, ErrorOf<'unknown_unsubscribe_link'>>> => {
	const token = parseUnsubscribeToken(event.params.token ?? '');
	const done =
		token === null
			? err({ code: 'unknown_unsubscribe_link' } as const)
			: await event.locals.app.withdrawByLink(token, occasion);
	const outcome = done.ok ? 'ok' : done.error.code;
	logEvent(event, 'unsubscribed', { via: event.route.id, outcome });
	return done;
};
