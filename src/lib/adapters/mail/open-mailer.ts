import type { Delivery, Mail, Mailer, Outbox } from '#lib/domain/index.ts';
import type { MailConfig, SmtpConfig } from '#lib/config/mail.ts';
import { consoleMailer } from './console-mailer.ts';
import {
	directOutbox,
	pacedOutbox,
	type PacedOutbox,
	type PacedOutboxSettings
} from './delivery/paced-outbox.ts';
import { processTiming } from './delivery/timing.ts';
import { letterRenderer } from './letter-renderer.ts';
import type { RenderLetter } from './letter.ts';
import { smtpMailer, type MailEvent, type SmtpMailer } from './smtp-mailer.ts';
import type { SmtpSettings } from './smtp-pool.ts';

/** What a mailer has to know of the configuration. */
export interface MailSetting {
	readonly mail: MailConfig;
	readonly origin: string;
	readonly siteName: string;
	readonly supportEmail: string | null;
	readonly entry: 'split' | 'single';
}

export interface MailTools {
	readonly log: (event: MailEvent) => void;
	/** The network of a client address: mails of one network wait in one line. */
	readonly networkOf: (address: string) => string;
	/** Learns of every mail that was handed over, or was not. */
	readonly watch?: (mail: Mail, delivery: Delivery) => void;
}

export interface OpenedMailer extends Mailer {
	readonly outbox: Outbox;
	/** For shutdown: what still waits goes out soon or is refused. */
	hurry(): void;
	/** Lets go of the connections; mails under way are finished first. */
	close(): void;
}

/** People get an honest answer within ten seconds; one is left for everything else. */
const DEADLINE = 9_000;

/** Of mails that a request waits for. The bounds only matter with a server that is fast. */
const WAITED_FOR = { connections: 5, patience: 5_000, perLine: 50, total: 1_000 };
/** Of mails that follow for everybody: welcomes and notices. Nobody watches a clock for these. */
const FOLLOWING = { connections: 3, patience: 60_000, perLine: 100, total: 2_000 };
/** Of mails that only some get. In its slots ten of these begin in a second. */
const CONDITIONAL = { connections: 5, patience: 60_000, perLine: 100, total: 1_000 };
const PACE = { slot: 100, perLine: 50, total: 300 };
/** Of every mail that waits when the process is told to stop, in milliseconds. */
const LAST_PATIENCE = 5_000;

/** The mailer that the configuration asks for: the console, or a mail server. */
export const openMailer = (setting: MailSetting, tools: MailTools): OpenedMailer => {
	const { mail } = setting;
	if (mail.kind === 'smtp') return openSmtp(setting, mail, tools);
	const write = (line: string): void => console.log(line);
	const mailer = watched(consoleMailer(setting.origin, write), tools);
	return { ...mailer, outbox: directOutbox(mailer), hurry: noop, close: noop };
};

/** A mailer of another kind, such as one for the API of a provider. It brings its own connections. */
export const wrapMailer = (mailer: Mailer, tools: MailTools): OpenedMailer => {
	const rehearse = (): Promise<void> => Promise.resolve();
	const outbox = openOutbox({ following: mailer, conditional: { ...mailer, rehearse } }, tools);
	return { send: mailer.send, outbox, hurry: outbox.hurry, close: noop };
};

const noop = (): void => undefined;

const openSmtp = (setting: MailSetting, mail: SmtpConfig, tools: MailTools): OpenedMailer => {
	const settings = smtpSettings(mail, setting);
	const render = rendererFor(setting);
	const open = (queue: typeof WAITED_FOR): SmtpMailer => {
		const own = { ...settings, connections: queue.connections };
		const lines = { ...queue, lineOf: lineOf(tools) };
		return watched(smtpMailer(own, render, tools.log, lines), tools);
	};
	const waitedFor = open(WAITED_FOR);
	const following = open(FOLLOWING);
	const conditional = open(CONDITIONAL);
	const mailers = [waitedFor, following, conditional];
	const outbox = openOutbox({ following, conditional }, tools);
	return {
		send: waitedFor.send,
		outbox,
		hurry: () => {
			outbox.hurry();
			for (const one of mailers) one.hurry(LAST_PATIENCE);
		},
		close: () => {
			for (const one of mailers) one.close();
		}
	};
};

/** A welcome names no device. It follows a code that had to wait in the line of its client. */
const lineOf =
	({ networkOf }: MailTools) =>
	(mail: Mail): string =>
		'device' in mail ? networkOf(mail.device.ipAddress) : mail.to;

const openOutbox = (
	mailers: Pick<PacedOutboxSettings, 'following' | 'conditional'>,
	tools: MailTools
): PacedOutbox =>
	pacedOutbox({
		...PACE,
		...mailers,
		lineOf: lineOf(tools),
		timing: processTiming,
		onBusy: ({ kind }, waiting) => tools.log({ mail: kind, delivery: 'busy', waiting })
	});

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
		connections: WAITED_FOR.connections,
		deadline: DEADLINE
	};
};
