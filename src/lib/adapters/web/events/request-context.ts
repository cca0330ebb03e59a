import type { RequestEvent } from '@sveltejs/kit';
import { storableUserAgent } from '#lib/domain/client.ts';
import type { Actor, EventContext } from '#lib/domain/events/ports.ts';

/** The context of a request's events. Operator pages and webhooks pass another actor. */
export const actorContextOf =
	({ request, locals }: RequestEvent, actor: Actor = { kind: 'person' }) =>
	(): EventContext => {
		const { app, requestId, clientAddress } = locals;
		return {
			actor,
			at: app.clock.now(),
			requestId,
			ipAddress: app.loggedClient(clientAddress),
			userAgent: storableUserAgent(request.headers.get('user-agent') ?? '')
		};
	};
