import { error, type RequestEvent } from '@sveltejs/kit';
import type { UserId } from '#lib/domain/ids.ts';
import { messages } from '#lib/messages/messages.ts';
import { unknownData } from '../edge/guard.ts';
import { requireFreshSession } from '../edge/require-user.ts';
import { actorContextOf } from '../events/request-context.ts';

type Call = (event: RequestEvent) => Promise<Response>;

/**
 * Lets operators pass to the pages for operators, if these are on and the sign-in is recent. Everybody
 * else gets what an unknown path gives. The guard has redirected unauthenticated requests before.
 */
export const forOperators = async (event: RequestEvent, call: Call): Promise<Response> => {
	const { app, user } = event.locals;
	const isOperator = app.config.operatorPages && user !== null && (await app.isOperator(user.id));
	if (!isOperator) return asUnknownPath(event, call);
	requireFreshSession(event);
	event.locals.operator = user.id;
	const actor = { kind: 'operator', id: user.id } as const;
	return app.inEventContext(actorContextOf(event, actor), () => call(event));
};

/** No action runs, and every load refuses. */
const asUnknownPath = async (event: RequestEvent, call: Call): Promise<Response> => {
	const { url, headers } = event.request;
	const answer =
		unknownData(event) ?? (await call({ ...event, request: new Request(url, { headers }) }));
	if (!event.isDataRequest) return answer;
	// The data of an unknown path has only the layout, so the framework would not skip a page.
	answer.headers.delete('content-length');
	return new Response((await answer.text()).replace(',{"type":"skip"}', ''), answer);
};

/** The operator that `forOperators` let pass. Every load and action of these pages begins with it. */
export const requireOperator = ({ locals }: Pick<RequestEvent, 'locals'>): UserId =>
	locals.operator ?? error(404, messages.faults.notFound);
