import type { Handle } from '@sveltejs/kit/hooks';
import type { App } from '#lib/app.server.ts';
import { attachApp } from './edge/attach-app.ts';
import { checkFormToken } from './edge/form-token.ts';
import { callRoute } from './edge/call-route.ts';
import { guard } from './edge/guard.ts';
import { withHeaders } from './edge/with-headers.ts';
import { answerHealthCheck } from './edge/health.ts';
import { actorContextOf } from './events/request-context.ts';
import { answerMetrics } from './metrics/answer-metrics.ts';
import { checkLimits } from './edge/limits/check-limits.ts';
import { loadSession } from './edge/session/load-session.ts';
import { checkOrigin } from './http/origin.ts';
import { answerPreflight } from './http/cors.ts';
import { isSafeMethod } from './http/paths.ts';
import { withLog } from './edge/request-log.ts';
import { forOperators } from './operators/require-operator.ts';
import { rulesOf } from './route-rules.ts';

/**
 * Everything that happens to a request before its route, in order. A response from a step ends the
 * request. Calls the steps directly: the framework's `sequence` also opens a span and an async
 * context for each, which took as long as all the steps together.
 */
export const requestPipeline =
	(currentApp: () => App, call = callRoute): Handle =>
	({ event, resolve }) => {
		const respond = async (): Promise<Response> => {
			const { app, rules, target } = event.locals;
			// The provider makes these checks itself.
			if (rules.skipsChecks && app.oidc !== null) return call(event, resolve);
			// 429 for a client with too many requests, then CORS preflights, then 403 for a change that
			// another site requests. The last two let every GET pass.
			const limited = checkLimits(event);
			if (limited !== null) return limited;
			const refusal = answerPreflight(event) ?? (await checkOrigin(event));
			if (refusal !== null) return refusal;
			const isForm = event.request.method === 'POST' && !target.isApi;
			// It reads the body of a form, and returns an event whose body can be read again.
			const checked = isForm ? await checkFormToken(event) : event;
			if (checked instanceof Response) return checked;

			// Fills in `locals.user`, which the guard and the route read.
			await loadSession(checked);
			const denial = await guard(checked);
			if (denial !== null) return denial;
			if (target.isApi) return resolve(checked);
			return rules.access === 'operator'
				? forOperators(checked, (passed) => call(passed, resolve))
				: call(checked, resolve);
		};
		// A GET records no events, except on pages of operators and when an application signs a person
		// out. These set the context themselves.
		const inContext = isSafeMethod(event.request.method)
			? respond
			: () => event.locals.app.inEventContext(actorContextOf(event), respond);
		return (
			attachApp(event, currentApp(), rulesOf) ??
			answerHealthCheck(event) ??
			answerMetrics(event) ??
			// Outside the steps of `respond`, so that their refusals are logged and have the headers too.
			withLog(event, () => withHeaders(event, inContext))
		);
	};
