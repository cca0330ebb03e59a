import type { RequestEvent } from '@sveltejs/kit';
import type { Actor, EventContext } from '#lib/domain/events/ports.ts';
import { storable } from '#lib/domain/user.ts';

/** The context of the events of a request. Its owner is the actor, unless the route knows better. */
export const eventContextOf =
	({ request, locals }: RequestEvent, actor: Actor = { kind: 'person' }) =>
	(): EventContext => {
		const { app, requestId, clientAddress } = locals;
		return {
			actor,
			at: app.clock.now(),
			requestId,
			ipAddress: app.loggedClient(clientAddress),
			userAgent: storable((request.headers.get('user-agent') ?? '').slice(0, 512))
		};
	};
