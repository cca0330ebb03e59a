import { compose, type App } from '#lib/app.server.ts';
import { readConfig } from '#lib/config.server.ts';
import type { Output } from '#lib/adapters/system/process-log.ts';
import { printError, say as print } from '#lib/operator-messages.ts';
import { loadEnvironment } from '../../src/entry/env-file.ts';
import { runCli } from './run-cli.ts';

/**
 * Runs work with the configured application and its database, then closes both. `output` gets the lines of
 * `say`, the log, and the emails of the console mailer.
 */
export const withApp = (
	work: (app: App, say: (line: string) => void) => Promise<void>,
	output: Output = process.stdout
): Promise<void> =>
	runCli(async (refuse) => {
		const say = output === process.stderr ? printError : print;
		loadEnvironment(say);
		const config = readConfig(process.env);
		if (!config.ok) return config.error.forEach(refuse);
		const app = await compose(config.value, { waiting: { say }, output });
		try {
			await app.asSystem(() => work(app, say));
		} finally {
			await app.close();
		}
	});
