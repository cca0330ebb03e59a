import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Plugin, ViteDevServer } from 'vite';
import { readTemplateFolder } from '#lib/config/mail-templates.ts';
import type { MailSetting } from '../mail-setting.ts';
import type * as mailPages from './mail-page.ts';
import { keepSentMails } from './sent-mails.ts';

/** With forward slashes on Windows too, as Vite writes paths. */
const here = (file: string): string =>
	fileURLToPath(new URL(file, import.meta.url)).replaceAll('\\', '/');
const MAILER = here('../open-mailer.ts');
const WATCHED_MAILER = here('./watched-mailer.ts');
const PAGE = here('./mail-page.ts');

export const DEV_MAIL = '/dev/mail';

/**
 * Serves `/dev/mail`, which shows all email templates and the last emails sent. Only the
 * development server adds this plugin. No route and no application code imports it, so a build
 * cannot contain it. It replaces the usual mailer with a watched one.
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
						send(response, show(new URLSearchParams(query), sentMails(), reread(setting)));
					})
					.catch(next);
			});
		}
	};
};

/** With the operator's templates as they are now. The application has those of its start. */
const reread = (setting: MailSetting): MailSetting => {
	const templates = readTemplateFolder(setting.mail.templates?.path);
	if (!templates.ok) throw new Error(`EMAIL_TEMPLATES: ${templates.error.why}`);
	return { ...setting, mail: { ...setting.mail, templates: templates.value } };
};

/** Reloaded after each change, so that an edited template shows at once. */
const pages = async (server: ViteDevServer): Promise<typeof mailPages> =>
	(await server.ssrLoadModule(PAGE)) as typeof mailPages;

/**
 * Codes grant access, so only requests from this machine are allowed, and none that a tunnel
 * forwards.
 */
const isOfThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
	/^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
	headers['x-forwarded-for'] === undefined;

const send = (response: ServerResponse, { html, policy }: mailPages.DevPage): void => {
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
};
