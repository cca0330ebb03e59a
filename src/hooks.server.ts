import { dev } from '$app/env';
import type { Handle, ServerInit } from '@sveltejs/kit/hooks';
import { refuseStart, say } from '#lib/operator-messages.ts';
import { startDailyTasks } from '#lib/adapters/tasks/daily.ts';
import { callRoute, callRouteInDevelopment } from '#lib/adapters/web/edge/call-route.ts';
import { requestPipeline } from '#lib/adapters/web/request-pipeline.ts';
import { compose, type App } from '#lib/app.server.ts';
import { nodeProblem } from '#lib/config/node-version.js';
import { readConfig } from '#lib/config.server.ts';

/** Containers start in any order, and the database can be the last. */
const DATABASE_RETRY_TIME_MS = 30_000;

let app: App;

/** `npm start` has already checked this. These checks are for a build that is started directly. */
export const init: ServerInit = async () => {
	const tooOld = nodeProblem(process.versions.node);
	if (tooOld !== null) return refuseStart([tooOld]);
	const config = readConfig(process.env);
	if (!config.ok) return refuseStart(config.error);
	const waiting = { retryFor: DATABASE_RETRY_TIME_MS, say };
	app = await compose(config.value, { waiting, omitsRequests: dev });
	app.startWorkers();
	const tasks = startDailyTasks(app);
	process.once('sveltekit:shutdown', () => {
		tasks.stop();
		// A driver can keep a connection that opened during shutdown, which would keep the process
		// running.
		void app.close().finally(() => process.exit());
	});
};

/*
 * The guard is a step of this pipeline (lib/adapters/web/edge/guard.ts). The rules of a route say
 * whether it is public (page-rules.ts and the operations).
 */
export const handle: Handle = requestPipeline(() => app, dev ? callRouteInDevelopment : callRoute);

export { handleFault as handleError } from '#lib/adapters/web/http/faults.ts';
