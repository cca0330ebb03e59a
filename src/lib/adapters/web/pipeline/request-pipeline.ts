import type { Handle } from '@sveltejs/kit/hooks';
import type { App } from '#lib/app.server.ts';
import { attachApp } from './attach-app.ts';
import { composeHandles } from './compose-handles.ts';
import { formToken } from './csrf.ts';
import { withDocument } from './document.ts';
import { guard } from './guard.ts';
import { withHeaders } from './headers.ts';
import { health } from './health.ts';
import { limits } from './limits.ts';
import { loadSession } from './load-session.ts';
import { checkOrigin } from './origin.ts';
import { preflight } from './preflight.ts';
import { withLog } from './request-log.ts';
import { runChecks } from './run-checks.ts';
import { serveKeptPage } from './serve-kept-page.ts';

/**
 * Everything that happens to a request before its route. Headers come before every check that can
 * refuse, so that refusals have them too. `keepPages` caches rendered pages of the documentation.
 */
export const requestPipeline = (
	currentApp: () => App,
	{ keepPages }: { readonly keepPages: boolean }
): Handle =>
	composeHandles(
		runChecks(attachApp(currentApp), health),
		withLog,
		withHeaders,
		runChecks(limits, preflight, checkOrigin),
		formToken,
		runChecks(loadSession, guard),
		...(keepPages ? [serveKeptPage] : []),
		withDocument
	);
