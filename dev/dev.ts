import { createServer } from 'vite';
import { DEV_MAIL, devMail } from '#lib/adapters/mail/preview/dev-mail.ts';
import { systemClock } from '#lib/adapters/system/system-clock.ts';
import { describeProblem, readConfig } from '#lib/config.server.ts';
import { startLine } from '../src/entry/start-line.ts';
import { loadEnvironment } from '../src/entry/env-file.ts';

// Starts the development server with the configuration and port of the real one. So AUTH_URL, and
// with it the origin checks and cookies, also work here.
const say = (line: string): void => console.log(`[postern] ${line}`);
loadEnvironment(say);
const config = readConfig(process.env);
if (!config.ok) {
	for (const problem of config.error) console.error(`[postern] ${describeProblem(problem)}`);
	process.exit(1);
}
const port = Number(new URL(config.value.origin).port || config.value.port);
const server = await createServer({
	server: { port, strictPort: true, host: config.value.host },
	plugins: [devMail(config.value, systemClock().now)]
});
await server.listen();
say(startLine(config.value));
say(`open ${config.value.origin}${DEV_MAIL} for all emails`);
