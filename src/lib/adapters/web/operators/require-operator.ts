import { error, type RequestEvent } from '@sveltejs/kit';
import type { UserId } from '#lib/domain/ids.ts';
import type { OperatorUseCase } from '#lib/domain/operators/use-cases.ts';
import type { UseCases } from '#lib/domain/use-cases.ts';
import { messages } from '#lib/messages/messages.ts';
import { refuseUnknownData } from '../edge/guard.ts';
import { requireFreshSession } from '../edge/require-user.ts';
import { actorContextOf } from '../events/request-context.ts';

type OperatorApp = App.Locals['app'] & Pick<UseCases, OperatorUseCase>;

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

/** Repeats the request as a GET, so no action runs. The load then throws 404. */
const asUnknownPath = async (event: RequestEvent, call: Call): Promise<Response> => {
	const { url, headers } = event.request;
	const answer =
		refuseUnknownData(event) ?? (await call({ ...event, request: new Request(url, { headers }) }));
	if (!event.isDataRequest) return answer;
	// For a page that was not loaded again, the framework adds `skip`. An unknown path has no page, so the
	// entry would reveal this one.
	answer.headers.delete('content-length');
	return new Response((await answer.text()).replace(',{"type":"skip"}', ''), answer);
};

/**
 * The operator that `forOperators` let pass, with the use-cases for operators. The `app` of an event
 * lacks these, so no other load or action can call them.
 */
export const requireOperator = ({
	locals: { app, operator }
}: Pick<RequestEvent, 'locals'>): { readonly operator: UserId; readonly app: OperatorApp } => ({
	operator: operator ?? error(404, messages.faults.notFound),
	app: app as OperatorApp
});
