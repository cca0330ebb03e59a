import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Plugin, ViteDevServer } from 'vite';
import type { MailSetting } from '../open-mailer.ts';
import type * as mailPages from './mail-page.ts';
import { keepSentMails } from './sent-mails.ts';

/** As Vite writes paths, on Windows too. */
const here = (file: string): string =>
	fileURLToPath(new URL(file, import.meta.url)).replaceAll('\\', '/');
const MAILER = here('../open-mailer.ts');
const WATCHED_MAILER = here('./watched-mailer.ts');
const PAGE = here('./mail-page.ts');

export const DEV_MAIL = '/dev/mail';

/**
 * Serves `/dev/mail`, which shows all mail templates and the last mails sent. Only
 * `scripts/dev.ts` adds it: no route leads there and nothing of the application imports it, so a
 * build cannot contain it. It puts a watched mailer in place of the usual one.
 */
export const devMail = (setting: MailSetting, now: () => Date): Plugin => {
	const sentMails = keepSentMails(now);
	return {
		name: 'postern:dev-mail',
		apply: 'serve',
		enforce: 'pre',
		async resolveId(source, importer) {
			if (importer === WATCHED_MAILER || !source.endsWith('/open-mailer.ts')) return null;
			const resolved = await this.resolve(source, importer, { skipSelf: true });
			return resolved?.id === MAILER ? WATCHED_MAILER : resolved;
		},
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				const [path = '', query = ''] = (request.url ?? '').split('?');
				const isOurs = path === DEV_MAIL || path === `${DEV_MAIL}/body`;
				if (!isOurs || request.method !== 'GET' || !isOfThisMachine(request)) return next();
				pages(server)
					.then(({ mailPage, mailBody }) => {
						const show = path === DEV_MAIL ? mailPage : mailBody;
						send(response, show(new URLSearchParams(query), sentMails(), setting));
					})
					.catch(next);
			});
		}
	};
};

/** Loaded anew after each change, so that a template can be mended while it is looked at. */
const pages = async (server: ViteDevServer): Promise<typeof mailPages> =>
	(await server.ssrLoadModule(PAGE)) as typeof mailPages;

/** Whoever reads codes can sign in: not the network, should the server listen to it, nor through a tunnel. */
const isOfThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
	/^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
	headers['x-forwarded-for'] === undefined;

const send = (response: ServerResponse, { html, policy }: mailPages.DevPage): void => {
	// Vite lets any page of this machine read what it serves.
	response.removeHeader('access-control-allow-origin');
	response.writeHead(200, {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': policy,
		'cache-control': 'no-store',
		'cross-origin-resource-policy': 'same-origin',
		'referrer-policy': 'no-referrer'
	});
	response.end(html);
};
