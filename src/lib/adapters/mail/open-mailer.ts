import type { Mailer } from '#lib/domain/index.ts';
import type { MailConfig, SmtpConfig } from '#lib/config/mail.ts';
import { consoleMailer } from './console-mailer.ts';
import { letterRenderer } from './letter-renderer.ts';
import type { RenderLetter } from './letter.ts';
import { smtpMailer, type MailEvent } from './smtp-mailer.ts';
import type { SmtpSettings } from './smtp-pool.ts';

/** What a mailer has to know of the configuration. */
export interface MailSetting {
	readonly mail: MailConfig;
	readonly origin: string;
	readonly siteName: string;
	readonly supportEmail: string | null;
	readonly entry: 'split' | 'single';
}

/** People get an honest answer within ten seconds; one is left for everything else. */
const DEADLINE = 9_000;

/** The mailer that the configuration asks for: the console, or a mail server. */
export const openMailer = (
	setting: MailSetting,
	log: (event: MailEvent) => void
): Mailer & { close(): void } => {
	const { mail } = setting;
	if (mail.kind === 'smtp') {
		return smtpMailer(smtpSettings(mail, setting), rendererFor(setting), log);
	}
	return { ...consoleMailer(setting.origin, (line) => console.log(line)), close: () => undefined };
};

export const rendererFor = (setting: MailSetting): RenderLetter => {
	const { siteName, origin, supportEmail, entry } = setting;
	const { codeInSubject } = setting.mail;
	return letterRenderer({ name: siteName, origin, supportEmail, entry, codeInSubject });
};

export const smtpSettings = (mail: SmtpConfig, setting: MailSetting): SmtpSettings => {
	const { host, port, implicitTls, plain, user, key, from } = mail;
	const { hostname } = new URL(setting.origin);
	return {
		host,
		port,
		implicitTls,
		plain,
		user,
		key,
		from: { name: from.name ?? setting.siteName, address: from.address },
		replyTo: setting.supportEmail,
		// The name of this machine is nobody's business, and often none that servers accept.
		helloName: /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname) ? hostname : null,
		deadline: DEADLINE
	};
};
