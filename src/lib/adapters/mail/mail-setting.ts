import type { SmtpAccount } from '#lib/config/mail-account.ts';
import type { MailConfig } from '#lib/config/mail.ts';
import type { SignInLayout } from '#lib/sign-in-layouts.ts';
import { emailRenderer, type RenderEmail } from './email-renderer.ts';
import type { SmtpSettings } from './smtp-pool.ts';

/** The part of the configuration that mailers need. */
export interface MailSetting {
	readonly mail: MailConfig;
	readonly origin: string;
	readonly siteName: string;
	readonly supportEmail: string | null;
	readonly signInLayout: SignInLayout;
}

/**
 * A sign-in request must be answered within ten seconds. One second is left for everything else.
 */
const DEADLINE = 9_000;

/** Renders emails as the configuration says. Throws when a template of the operator is wrong. */
export const rendererFor = (setting: MailSetting): RenderEmail => {
	const { siteName, origin, supportEmail, signInLayout } = setting;
	const { codeInSubject, templates } = setting.mail;
	const site = { name: siteName, origin, supportEmail, signInLayout, codeInSubject };
	return emailRenderer({ ...site, templates });
};

/** What the pool of connections to one of the providers needs. */
export const smtpSettings = (mail: SmtpAccount, setting: MailSetting): SmtpSettings => {
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
		// Otherwise nodemailer sends this machine's hostname, which is private and which many servers
		// reject.
		helloName: /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname) ? hostname : null,
		connections: 1,
		deadline: DEADLINE
	};
};
