import type { RequestEvent } from '@sveltejs/kit';
import type { Subscription } from '#lib/domain/ports/subscriptions.ts';
import type { Session } from '#lib/domain/sessions/session.ts';
import type { User } from '#lib/domain/account/user.ts';
import { logFault } from '../errors/unexpected.ts';

/** Of an account what its own pages may hold. There is no token in it. */
export interface ShownAccount {
	readonly user: Pick<User, 'id' | 'email' | 'name' | 'image'> | null;
	readonly session: Pick<Session, 'id' | 'expiresAt'> | null;
	readonly subscription: Subscription;
}

/** What fills the user store of the pages. */
export const shownAccount = async (event: RequestEvent): Promise<ShownAccount> => {
	const { user, session } = event.locals;
	if (user === null || session === null) {
		return { user: null, session: null, subscription: { status: 'none' } };
	}
	const { id, email, name, image } = user;
	return {
		user: { id, email, name, image },
		session: { id: session.id, expiresAt: session.expiresAt },
		subscription: await subscriptionOf(event, user)
	};
};

/** A payment service that is down takes no page down with it. */
const subscriptionOf = async (event: RequestEvent, { id }: User): Promise<Subscription> => {
	try {
		return await event.locals.app.subscriptions.of(id);
	} catch (error) {
		logFault(event, error);
		return { status: 'unknown' };
	}
};
