import type { Handle, HandleServerError, ServerInit } from '@sveltejs/kit/hooks';
import { startDailyTasks } from '#lib/adapters/tasks/daily.ts';
import { describeFault } from '#lib/adapters/web/describe-fault.ts';
import { guard } from '#lib/adapters/web/handle/guard.ts';
import { inOrder } from '#lib/adapters/web/handle/in-order.ts';
import { withApp } from '#lib/adapters/web/handle/with-app.ts';
import { withDocument } from '#lib/adapters/web/handle/with-document.ts';
import { withFormToken } from '#lib/adapters/web/handle/with-form-token.ts';
import { withHeaders } from '#lib/adapters/web/handle/with-headers.ts';
import { withHealth } from '#lib/adapters/web/handle/with-health.ts';
import { withLimits } from '#lib/adapters/web/handle/with-limits.ts';
import { withLog } from '#lib/adapters/web/handle/with-log.ts';
import { withOrigin } from '#lib/adapters/web/handle/with-origin.ts';
import { withPreflight } from '#lib/adapters/web/handle/with-preflight.ts';
import { withSession } from '#lib/adapters/web/handle/with-session.ts';
import { compose, type App } from '#lib/app.server.ts';
import { nodeProblem } from '#lib/config/node-version.js';
import { describeProblem, readConfig } from '#lib/config.server.ts';

/** Containers start in any order, and the database may be the last; in milliseconds. */
const DATABASE_PATIENCE = 30_000;

const say = (line: string): void => console.log(`[postern] ${line}`);

let app: App;

/** `npm start` has checked all this before; this is for whoever starts the build by hand. */
export const init: ServerInit = async () => {
	const tooOld = nodeProblem(process.versions.node);
	if (tooOld !== null) return refuse([tooOld]);
	const config = readConfig(process.env);
	if (!config.ok) return refuse(config.error.map(describeProblem));
	app = await compose(config.value, { waiting: { patience: DATABASE_PATIENCE, say } });
	const daily = startDailyTasks(app);
	process.once('sveltekit:shutdown', () => {
		daily.stop();
		// A driver may keep a connection that came up while it was ending, which would keep the process.
		void app.close().finally(() => process.exit());
	});
};

const refuse = (lines: readonly string[]): never => {
	for (const line of lines) console.error(`[postern] ${line}`);
	process.exit(1);
};

// Headers come before whatever may refuse, so that refusals have them too.
export const handle: Handle = inOrder(
	withApp(() => app),
	withHealth,
	withLog,
	withHeaders,
	withLimits,
	withPreflight,
	withOrigin,
	withFormToken,
	withSession,
	guard,
	withDocument
);

export const handleError: HandleServerError = describeFault;
