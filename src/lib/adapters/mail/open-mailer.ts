import type { Mail, Mailer, Outbox } from '#lib/domain/index.ts';
import type { MailConfig, SmtpConfig } from '#lib/config/mail.ts';
import type { SignInLayout } from '#lib/sign-in-layouts.ts';
import { consoleMailer } from './console-mailer.ts';
import { queueKeyOf, logTo, openOutbox, type MailTools } from './delivery/open-outbox.ts';
import { directOutbox } from './delivery/paced-outbox.ts';
import { emailRenderer } from './email-renderer.ts';
import type { RenderEmail } from './rendered-email.ts';
import { smtpMailer, type SmtpMailer } from './smtp-mailer.ts';
import type { SmtpSettings } from './smtp-pool.ts';

/** The part of the configuration that mailers need. */
export interface MailSetting {
	readonly mail: MailConfig;
	readonly origin: string;
	readonly siteName: string;
	readonly supportEmail: string | null;
	readonly signInLayout: SignInLayout;
}

export interface OpenedMail {
	readonly mailer: Mailer;
	readonly outbox: Outbox;
	/**
	 * For shutdown. Waiting emails are sent soon or refused; then the connections to the mail server
	 * close.
	 */
	finish(drained: () => Promise<void>): Promise<void>;
}

/**
 * A sign-in request must be answered within ten seconds. One second is left for everything else.
 */
const DEADLINE = 9_000;

/**
 * For emails that a request waits for. With a slow mail server, emails reach this patience before
 * the queue is full.
 */
const WAITED_FOR = { connections: 5, patience: 5_000, perKey: 50, total: 1_000 };
/**
 * For emails that follow a request for every recipient, such as welcomes and notices. No request
 * waits for these.
 */
const FOLLOWING = { connections: 3, patience: 60_000, perKey: 100, total: 2_000 };
/** For conditional emails. At most ten of these start per second, see `delivery/open-outbox.ts`. */
const CONDITIONAL = { connections: 5, patience: 60_000, perKey: 100, total: 1_000 };
/** How many milliseconds emails may still wait after shutdown has begun. */
const LAST_PATIENCE = 5_000;

/**
 * Opens the configured mailer: the console or a mail server. `own` replaces it with another mailer,
 * for example one for a provider's API, which manages its own connections.
 */
export const openMailer = (setting: MailSetting, tools: MailTools, own?: Mailer): OpenedMail => {
	const { mail, origin } = setting;
	if (own !== undefined) {
		// Not spread: an instance of a class would lose its methods.
		const conditional = {
			send: (mail: Mail) => own.send(mail),
			rehearse: () => Promise.resolve()
		};
		const outbox = openOutbox({ following: own, conditional }, tools);
		return { mailer: own, outbox, finish: (drained) => (outbox.hurry(), drained()) };
	}
	if (mail.kind === 'smtp') return openSmtp(setting, mail, tools);
	const write = (line: string): void => console.log(line);
	const mailer = watched(consoleMailer(origin, write, process.stdout), tools);
	return { mailer, outbox: directOutbox(mailer), finish: (drained) => drained() };
};

const openSmtp = (setting: MailSetting, mail: SmtpConfig, tools: MailTools): OpenedMail => {
	const settings = smtpSettings(mail, setting);
	const render = rendererFor(setting);
	const open = (queue: typeof WAITED_FOR): SmtpMailer => {
		const { timing } = tools;
		const own = { ...settings, connections: queue.connections };
		const queueSettings = { ...queue, keyOf: queueKeyOf(tools), timing };
		return watched(smtpMailer(own, render, logTo(tools), queueSettings), tools);
	};
	const mailers = [open(WAITED_FOR), open(FOLLOWING), open(CONDITIONAL)] as const;
	const [mailer, following, conditional] = mailers;
	const outbox = openOutbox({ following, conditional }, tools);
	return {
		mailer,
		outbox,
		finish: async (drained) => {
			outbox.hurry();
			for (const one of mailers) one.hurry(LAST_PATIENCE);
			await drained();
			for (const one of mailers) one.close();
		}
	};
};

/** Reports each email to `tools.watch`, which only development sets. */
const watched = <M extends Mailer>(mailer: M, { watch }: MailTools): M =>
	watch === undefined
		? mailer
		: {
				...mailer,
				send: async (mail) => {
					const delivery = await mailer.send(mail);
					watch(mail, delivery);
					return delivery;
				}
			};

export const rendererFor = (setting: MailSetting): RenderEmail => {
	const { siteName, origin, supportEmail, signInLayout } = setting;
	const { codeInSubject } = setting.mail;
	return emailRenderer({ name: siteName, origin, supportEmail, signInLayout, codeInSubject });
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
		// Otherwise nodemailer sends this machine's hostname, which is private and which many servers
		// reject.
		helloName: /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname) ? hostname : null,
		connections: WAITED_FOR.connections,
		deadline: DEADLINE
	};
};
