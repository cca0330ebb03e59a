import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { mailAttempts } from '../message.ts';
import type { MailerConfig } from '../mail-renderer.ts';
import type * as mailPages from './mail-page.ts';

const PAGE = fileURLToPath(new URL('mail-page.ts', import.meta.url));
const KEPT = 50;

export const DEV_MAIL = '/dev/mail';

/**
 * Serves `/dev/mail`, which shows every email and the last ones sent. Only the development server
 * adds this plugin. No route and no application code imports it, so a build cannot contain it. It reads the
 * operator's templates for each request. The application has those of its start.
 */
export const devMail = (readSetting: () => MailerConfig, now: () => Date): Plugin => {
	let sent: readonly mailPages.SentMail[] = [];
	mailAttempts.subscribe((message) => {
		const id = (sent[0]?.id ?? 0) + 1;
		const email = message as Pick<mailPages.SentMail, 'mail' | 'delivery'>;
		sent = [{ ...email, id, at: now() }, ...sent].slice(0, KEPT);
	});
	return {
		name: 'postern:dev-mail',
		apply: 'serve',
		configureServer: (server) => {
			const render = async (query: string): Promise<readonly [html: string, policy: string]> => {
				// Loaded for each request, so that an edited text shows at once.
				const { mailPage, POLICY } = (await server.ssrLoadModule(PAGE)) as typeof mailPages;
				const show = new URLSearchParams(query).get('show');
				return [mailPage(show, sent, readSetting()), POLICY];
			};
			server.middlewares.use((request, response, next) => {
				const [path = '', query = ''] = (request.url ?? '').split('?');
				if (path !== DEV_MAIL || request.method !== 'GET' || !isOfThisMachine(request)) {
					return next();
				}
				render(query).then(([html, policy]) => {
					// Vite allows any page on this machine to read its responses.
					response.removeHeader('access-control-allow-origin');
					response.writeHead(200, {
						'content-type': 'text/html; charset=utf-8',
						'content-security-policy': policy,
						'cache-control': 'no-store',
						'cross-origin-resource-policy': 'same-origin',
						'referrer-policy': 'no-referrer'
					});
					response.end(html);
				}, next);
			});
		}
	};
};

/**
 * Codes grant access, so only requests from this machine are allowed, and none that a tunnel
 * forwards.
 */
const isOfThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
	/^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
	headers['x-forwarded-for'] === undefined;
