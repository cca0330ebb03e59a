import { Console } from 'node:console';
import type { SmtpAccount } from '#lib/config/mail-account.ts';
import type { SmtpConfig } from '#lib/config/mail.ts';
import type { LaneMailers } from '#lib/domain/delivery/ports.ts';
import type { Mail, Mailer } from '#lib/domain/mail.ts';
import type { Signer } from '#lib/domain/ports.ts';
import { conditionalMailer } from './conditional-mailer.ts';
import { consoleMailer } from './console-mailer.ts';
import { mailRenderer, type MailerConfig, type RenderMail } from './mail-renderer.ts';
import { discardingTransport, messageOf } from './message.ts';
import type { LanePaces } from './outbox-worker.ts';
import {
	queued,
	sendThrough,
	type Provider,
	type SendWithin,
	type SmtpTools
} from './smtp-mailer.ts';
import { openSmtpPool, type SmtpSettings } from './smtp-pool.ts';

export interface MailTools extends SmtpTools {
	/** The network of a client address. Emails that one network requested take turns with others. */
	readonly networkPrefixOf: (address: string) => string;
	/** Signs the Message-IDs. */
	readonly messageSigner: Signer;
}

interface OpenedMail {
	/** For emails that a request waits for. */
	readonly mailer: Mailer;
	/** For the emails of the outbox. */
	readonly lanes: LaneMailers;
	readonly paces: LanePaces;
	/** Closes the connections to the mail server after the current emails are finished. */
	close(): void;
}

/**
 * A sign-in request must be answered within ten seconds. One second is left for everything else.
 */
const DEADLINE_MS = 9_000;
const REQUEST_QUEUE = { width: 5, capacity: 1_000, maxWait: 5_000 };
/**
 * A lane has a connection for each email that it sends at a time. Conditional emails start in slots
 * of a fixed length, so that their start does not show whether the one before was sent.
 */
const PACES = {
	unconditional: { concurrency: 3, startInterval: 0 },
	conditional: { concurrency: 5, startInterval: 100 }
};
/** The console shows everything, and takes no time for it. */
const UNPACED = { ...PACES, conditional: { concurrency: 5, startInterval: 0 } };

/** What the connections to one of the providers need. */
export const smtpSettings = (account: SmtpAccount, config: MailerConfig): SmtpSettings => {
	const { hostname } = new URL(config.origin);
	return {
		...account,
		from: { ...account.from, name: account.from.name ?? config.siteName },
		replyTo: config.supportEmail,
		// Otherwise nodemailer sends this machine's hostname, which is private and which many servers
		// reject.
		helloName: /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname) ? hostname : null,
		connections: 1,
		deadline: DEADLINE_MS
	};
};

/**
 * Opens the configured mailer: the console or a mail server. `own` replaces it with another mailer,
 * for example one for a provider's API, which manages its own connections.
 */
export const openMailer = (
	config: MailerConfig,
	tools: MailTools,
	own?: Mailer,
	output: NodeJS.WriteStream = process.stdout
): OpenedMail => {
	const { mail, origin } = config;
	// The console shows no template, but a wrong one must stop every start.
	const render = mailRenderer(config);
	if (own === undefined && mail.kind === 'smtp') return openSmtp(config, mail, render, tools);
	const { log: write } = new Console(output);
	const mailer = own ?? consoleMailer(origin, write, output.isTTY);
	const conditional = conditionalMailer(mailer, async () => undefined, tools.timing);
	return {
		mailer,
		lanes: { unconditional: mailer, conditional },
		paces: own === undefined ? UNPACED : PACES,
		close: () => undefined
	};
};

const openSmtp = (
	config: MailerConfig,
	smtp: SmtpConfig,
	render: RenderMail,
	tools: MailTools
): OpenedMail => {
	const { timing, networkPrefixOf, messageSigner } = tools;
	const closes: (() => void)[] = [];
	const provider = (
		name: Provider['name'],
		account: SmtpAccount,
		connections: number
	): Provider => {
		const settings = { ...smtpSettings(account, config), connections, messageSigner };
		const { post, close } = openSmtpPool(settings, render);
		closes.push(close);
		return { name, host: account.host, post };
	};
	// Shared state would reveal whether a conditional email was sent.
	const open = (connections: number): SendWithin =>
		sendThrough(
			provider('primary', smtp, connections),
			smtp.fallback && provider('fallback', smtp.fallback, connections),
			tools
		);
	const unconditional = open(PACES.unconditional.concurrency);
	const conditional = open(PACES.conditional.concurrency);
	// Without a source, such as an operator's code, it takes turns by its recipient.
	const keyOf = ({ source, to }: Mail): string => (source ? networkPrefixOf(source.ipAddress) : to);
	const requestQueue = { ...REQUEST_QUEUE, keyOf, deadline: DEADLINE_MS };
	const discarding = discardingTransport();
	const sender = { ...smtpSettings(smtp, config), messageSigner };
	return {
		mailer: queued(open(REQUEST_QUEUE.width), requestQueue, tools),
		lanes: {
			unconditional: { send: (mail, id) => unconditional(mail, id, DEADLINE_MS) },
			conditional: conditionalMailer(
				{ send: (mail, id) => conditional(mail, id, DEADLINE_MS) },
				(mail) => discarding.sendMail(messageOf(sender, mail.to, render(mail))),
				timing
			)
		},
		paces: PACES,
		close: () => closes.forEach((close) => close())
	};
};
