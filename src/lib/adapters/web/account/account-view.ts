import type { RequestEvent } from '@sveltejs/kit';
import type { Subscription } from '#lib/domain/account/ports.ts';
import type { User } from '#lib/domain/user.ts';
import { logFault } from '../http/faults.ts';

/** The account data that the account's own pages may contain. It never includes a token. */
export type AccountView = Awaited<ReturnType<typeof accountView>>;

export const accountView = async (event: RequestEvent) => {
	const { user, session } = event.locals;
	return {
		user: user && { id: user.id, email: user.email, name: user.name, image: user.image },
		session: session && { id: session.id, expiresAt: session.expiresAt },
		subscription: user ? await subscriptionOf(event, user) : ({ status: 'none' } as const)
	};
};

/** A failing payment service must not break the page. */
const subscriptionOf = async (event: RequestEvent, { id }: User): Promise<Subscription> => {
	try {
		return await event.locals.app.subscriptions.of(id);
	} catch (error) {
		logFault(event, error);
		return { status: 'unknown' };
	}
};
