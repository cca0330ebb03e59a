import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import type { UserId } from '#lib/domain/ids.ts';
import { isFreshlySignedIn } from '#lib/domain/sessions/ports.ts';
import { messages } from '#lib/messages/messages.ts';
import { eventContextOf } from '../edge/event-context.ts';
import { guard } from '../edge/guard.ts';
import { loadSession } from '../edge/session/load-session.ts';

/** The page that asks for a code. */
export const CONFIRM = '/operators/confirm';

type Call = (event: RequestEvent) => Promise<Response>;

/**
 * Lets operators pass to the pages for operators, if these are on and the sign-in is recent. Everybody
 * else gets what an unknown path gives. The guard has redirected unauthenticated requests before.
 *
 * The first look uses the cached session, as on an unknown path. Operators are then loaded again.
 */
export const forOperators = async (event: RequestEvent, call: Call): Promise<Response> => {
	const { locals } = event;
	if (!locals.rules.isForOperators) return call(event);
	if (!(await isOperator(event))) return asUnknownPath(event, call);
	const rules = { ...locals.rules, skipsSessionCache: true };
	Object.assign(locals, { rules, user: null, session: null, credential: null });
	await loadSession(event);
	const denial = await guard(event);
	if (denial !== null) return denial;
	const { app, user, session, target } = locals;
	// This can be another account: the cookie counts where the token has just ended.
	if (user === null || session === null || !(await isOperator(event))) {
		return asUnknownPath(event, call);
	}
	locals.operator = user.id;
	if (target.routeId === CONFIRM) return call(event);
	if (!isFreshlySignedIn(session, app.clock.now(), app.policy)) {
		const isForm = event.request.method === 'POST';
		const to = event.url.pathname + (isForm ? '' : event.url.search);
		redirect(303, `${CONFIRM}?${new URLSearchParams({ to })}`);
	}
	const actor = { kind: 'operator', id: user.id } as const;
	return app.inEventContext(eventContextOf(event, actor), () => call(event));
};

const isOperator = async ({ locals: { app, user } }: RequestEvent): Promise<boolean> =>
	app.config.admin && user !== null && (await app.manageAccounts.isOperator(user.id));

/** No action runs, and every load refuses. */
const asUnknownPath = (event: RequestEvent, call: Call): Response | Promise<Response> => {
	const message = messages.faults.notFound;
	// What the framework answers to a request for data of a page that does not exist.
	if (event.isDataRequest) return Response.json({ status: 404, message }, { status: 404 });
	const { url, headers } = event.request;
	return call({ ...event, request: new Request(url, { headers }) });
};

/** The operator that the gate let pass. Every load and action of these pages begins with it. */
export const requireOperator = ({ locals }: Pick<RequestEvent, 'locals'>): UserId =>
	locals.operator ?? error(404, messages.faults.notFound);
