import { createServer } from 'vite';
import { DEV_MAIL, devMail } from '#lib/adapters/mail/preview/dev-mail.ts';
import { systemClock } from '#lib/adapters/system/system.ts';
import { readConfig, type Config } from '#lib/config.server.ts';
import { refuseStart, say } from '#lib/operator-messages.ts';
import { startLine } from '../src/entry/start-lines.ts';
import { loadEnvironment } from '../src/entry/env-file.ts';

// Starts the development server with the configuration and port of the real one. So AUTH_URL, and
// with it the origin checks and cookies, also work here.
loadEnvironment(say);
const read = readConfig(process.env);
const config = read.ok ? read.value : refuseStart(read.error);
const reread = (): Config => {
	const now = readConfig(process.env);
	if (now.ok) return now.value;
	throw new Error(now.error.join('\n'));
};
const port = Number(new URL(config.origin).port || config.port);
const server = await createServer({
	server: { port, strictPort: true, host: config.host },
	plugins: [devMail(reread, systemClock().now)]
});
await server.listen();
say(startLine(config));
say(`open ${config.origin}${DEV_MAIL} for all emails`);
