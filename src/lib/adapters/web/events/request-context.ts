import type { RequestEvent } from '@sveltejs/kit';
import { MAX_USER_AGENT } from '#lib/domain/client.ts';
import type { Actor, EventContext } from '#lib/domain/events/ports.ts';
import { storable } from '#lib/domain/user.ts';

/** The context of the events of a request. Its owner is the actor, unless the route knows better. */
export const actorContextOf =
	({ request, locals }: RequestEvent, actor: Actor = { kind: 'person' }) =>
	(): EventContext => {
		const { app, requestId, clientAddress } = locals;
		const userAgent = request.headers.get('user-agent') ?? '';
		return {
			actor,
			at: app.clock.now(),
			requestId,
			ipAddress: app.loggedClient(clientAddress),
			userAgent: storable(userAgent.slice(0, MAX_USER_AGENT))
		};
	};
