import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { ExternalLogger } from 'nodemailer/lib/shared';
import type { Email } from '#lib/domain/index.ts';
import { inOnePiece, messageOf } from './delivery/compose.ts';
import type { RenderedLetter } from './letter.ts';
import { troubleOf, type MailTrouble } from './smtp-trouble.ts';

export interface SmtpSettings {
	readonly host: string;
	readonly port: number;
	/** TLS from the first byte; otherwise STARTTLS, which the server must offer. */
	readonly implicitTls: boolean;
	/** No TLS at all: for a server on this very machine. */
	readonly plain: boolean;
	readonly user: string;
	readonly key: string;
	readonly from: { readonly name: string; readonly address: string };
	readonly replyTo: string | null;
	/** How we greet the server; null leaves it to the name of this machine. */
	readonly helloName: string | null;
	/** Connections that are open at once. */
	readonly connections: number;
	/** When to give up on a mail, whatever the server does, in milliseconds. */
	readonly deadline: number;
	/** A certificate authority beside the usual ones; tests bring their own. */
	readonly ca?: string;
}

/** Sees what is said to the server and what it answers, without passwords. */
export type Conversation = (line: string) => void;

export type Posted = { readonly delivery: 'sent'; readonly reply: string } | Untaken;
export type Untaken = MailTrouble & { readonly reason: string };

export interface SmtpPool {
	/**
	 * Hands one mail to the server; trouble is an answer. `within` is a deadline of its own. Mails
	 * above the number of connections wait until one is free, so it is for the caller to send no more.
	 */
	post(to: Email, letter: RenderedLetter, within?: number): Promise<Posted>;
	close(): void;
}

/** Shorter than servers and address translators keep a silent connection. */
const IDLE = 30_000;

/** A few connections to one mail server, kept for the next mail. */
export const openSmtpPool = (settings: SmtpSettings, conversation?: Conversation): SmtpPool => {
	const { deadline } = settings;
	const transport = createTransport({
		pool: true,
		maxConnections: settings.connections,
		host: settings.host,
		port: settings.port,
		secure: settings.implicitTls,
		requireTLS: !settings.plain,
		ignoreTLS: settings.plain,
		...(settings.ca === undefined ? {} : { tls: { ca: settings.ca } }),
		...(settings.helloName === null ? {} : { name: settings.helloName }),
		auth: { user: settings.user, pass: settings.key },
		connectionTimeout: deadline,
		greetingTimeout: deadline,
		socketTimeout: deadline,
		dnsTimeout: deadline,
		// A server that has stopped answering does not answer a goodbye either.
		socketCloseTimeout: 0,
		idleTimeout: IDLE,
		// Only mails of which not a byte was sent are tried again: on connections found dead.
		maxRequeues: 2,
		disableFileAccess: true,
		disableUrlAccess: true,
		...(conversation && { logger: conversationLogger(conversation), transactionLog: true })
	});
	const texts = new WeakMap<AbortSignal, Readable>();
	transport.use('stream', (mail, done) => {
		const { signal } = mail.data;
		mail.message.processFunc((parts) => {
			const text = inOnePiece(parts);
			if (signal) texts.set(signal, text);
			return text;
		});
		done();
	});

	const post: SmtpPool['post'] = async (to, letter, within = deadline) => {
		const abort = new AbortController();
		const { signal } = abort;
		const timer = setTimeout(() => abort.abort(), within);
		try {
			const { response } = await transport.sendMail({ ...messageOf(settings, to, letter), signal });
			return { delivery: 'sent', reply: response };
		} catch (error) {
			const began = texts.get(signal)?.readableDidRead ?? false;
			const reason = error instanceof Error ? error.message : String(error);
			return { ...troubleOf(error, began), reason };
		} finally {
			clearTimeout(timer);
		}
	};
	return { post, close: () => transport.close() };
};

/** Commands that hold nothing secret; what is left is signing in. */
const SHOWN = /^(?:EHLO|HELO|STARTTLS|MAIL|RCPT|DATA|RSET|QUIT)\b/;

const conversationLogger = (conversation: Conversation): ExternalLogger => {
	const silent = (): void => undefined;
	const debug = (entry: { readonly tnx?: unknown }, text = ''): void => {
		if (entry.tnx === 'client') conversation(`> ${SHOWN.test(text) ? text : '(signing in)'}`);
		if (entry.tnx === 'server') conversation(`< ${text}`);
	};
	return { debug, trace: silent, info: silent, warn: silent, error: silent, fatal: silent };
};
