import { compose, type App } from '#lib/app.server.ts';
import { readConfig } from '#lib/config.server.ts';
import type { Output } from '#lib/adapters/system/process-log.ts';
import { printError, say as print } from '#lib/say.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { loadEnvironment } from '../../src/entry/env-file.ts';

/**
 * Runs work with the configured application and its database, then closes both. `output` gets the lines of
 * `say`, the log, and the emails of the console mailer.
 */
export const withApp = async (
	work: (app: App, say: (line: string) => void) => Promise<void>,
	output: Output = process.stdout
): Promise<void> => {
	const say = output === process.stderr ? printError : print;
	loadEnvironment(say);
	const config = readConfig(process.env);
	if (!config.ok) {
		for (const problem of config.error) printError(problem);
		process.exitCode = 1;
		return;
	}
	let app: App | undefined;
	try {
		app = await compose(config.value, { waiting: { say }, output });
		await work(app, say);
	} catch (error) {
		process.exitCode = 1;
		if (error instanceof StoreUnavailable) return printError(`the database: ${error.message}`);
		printError(error instanceof Error ? error.message : String(error));
	} finally {
		await app?.close();
	}
};
