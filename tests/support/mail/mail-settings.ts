import { mailRenderer, type RenderMail } from '#lib/adapters/mail/mail-renderer.ts';
import type { Provider } from '#lib/adapters/mail/smtp-mailer.ts';
import { openSmtpPool, type SmtpPool, type SmtpSettings } from '#lib/adapters/mail/smtp-pool.ts';
import { aSigner } from '../domain/fixture.ts';

/** Settings of a server that sends through a local mail server. */
export const mailingThrough = (port: number): Readonly<Record<string, string>> => ({
	EMAIL_API_KEY: 'mVx2Qe7Lr9',
	EMAIL_HOST: '127.0.0.1',
	EMAIL_PORT: String(port),
	EMAIL_ALLOW_PLAIN: '1',
	EMAIL_FROM: 'no-reply@postern.test'
});

export const mailedSite = {
	siteName: 'Postern',
	mail: { kind: 'console', codeInSubject: false, templates: [] },
	origin: 'https://auth.example.org',
	supportEmail: null,
	signInLayout: 'split'
} as const;

/** Settings of a provider at this port of the machine. */
export const smtpTo = (port: number, changes: Partial<SmtpSettings> = {}): SmtpSettings => ({
	host: '127.0.0.1',
	port,
	implicitTls: false,
	plain: true,
	user: 'postern',
	key: 'key-that-must-not-show',
	from: { name: 'Postern', address: 'no-reply@example.org' },
	replyTo: null,
	messageSigner: aSigner(),
	helloName: 'auth.example.org',
	connections: 5,
	deadline: 5_000,
	...changes
});

/** Opens providers, and closes all of them at once. */
export const providers = () => {
	const opened: SmtpPool[] = [];
	return {
		open: (
			settings: SmtpSettings,
			name: Provider['name'] = 'primary',
			render: RenderMail = mailRenderer(mailedSite)
		) => {
			const pool = openSmtpPool(settings, render);
			opened.push(pool);
			return { name, host: settings.host, ...pool };
		},
		close: (): void => opened.splice(0).forEach((one) => one.close())
	};
};
