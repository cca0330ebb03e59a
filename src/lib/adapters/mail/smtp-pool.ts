import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { ExternalLogger } from 'nodemailer/lib/shared';
import type { MailId } from '#lib/domain/ids.ts';
import type { OutgoingMail } from './emails/mail-definition.ts';
import type { RenderMail } from './mail-renderer.ts';
import { joinPieces, messageOf, type Sender } from './message.ts';
import { failureOf, type MailFailure } from './smtp-failure.ts';

export interface SmtpSettings extends Sender {
	readonly port: number;
	/** TLS from the first byte. Otherwise STARTTLS, which the server must then support. */
	readonly implicitTls: boolean;
	/** No TLS. Only for a server on this machine. */
	readonly plain: boolean;
	readonly user: string;
	readonly key: string;
	/** The name for EHLO. Null uses the name of this machine. */
	readonly helloName: string | null;
	readonly connections: number;
	/** After how many milliseconds to give up on an email, whatever the server does. */
	readonly deadline: number;
	/** An additional certificate authority, used by tests. */
	readonly ca?: string;
}

/** Receives what client and server say, without passwords. */
type Conversation = (line: string) => void;

export type Posted = { readonly delivery: 'sent'; readonly reply: string } | FailedPost;
type FailedPost = MailFailure & { readonly reason: string };

export interface PostOptions {
	readonly within?: number | undefined;
	readonly id?: MailId | undefined;
}

export interface SmtpPool {
	/**
	 * Sends one email; a failure is returned, not thrown. `within` replaces the configured deadline.
	 * Every attempt with one `id` has the same Message-ID.
	 * If all connections are in use, the email waits. Callers should not exceed the number of
	 * connections.
	 */
	post(mail: OutgoingMail, options?: PostOptions): Promise<Posted>;
	close(): void;
}

/** Shorter than the time after which servers and NAT devices drop an idle connection. */
const IDLE_MS = 30_000;

export const openSmtpPool = (
	settings: SmtpSettings,
	render: RenderMail,
	conversation?: Conversation
): SmtpPool => {
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
		// A server that no longer responds does not confirm QUIT either.
		socketCloseTimeout: 0,
		idleTimeout: IDLE_MS,
		// Nodemailer retries only if the connection was dead before any byte of the email was sent.
		maxRequeues: 2,
		disableFileAccess: true,
		disableUrlAccess: true,
		...(conversation && { logger: conversationLogger(conversation), transactionLog: true })
	});
	const texts = new WeakMap<AbortSignal, Readable>();
	transport.use('stream', (mail, done) => {
		const { signal } = mail.data;
		mail.message.processFunc((parts) => {
			const text = joinPieces(parts);
			if (signal) texts.set(signal, text);
			return text;
		});
		done();
	});

	const post: SmtpPool['post'] = async (mail, { within = deadline, id } = {}) => {
		const message = messageOf(settings, mail.to, render(mail), id);
		const abort = new AbortController();
		const { signal } = abort;
		const timer = setTimeout(() => abort.abort(), within);
		try {
			const { response } = await transport.sendMail({ ...message, signal });
			return { delivery: 'sent', reply: response };
		} catch (error) {
			const began = texts.get(signal)?.readableDidRead ?? false;
			const reason = error instanceof Error ? error.message : String(error);
			return { ...failureOf(error, began), reason };
		} finally {
			clearTimeout(timer);
		}
	};
	return { post, close: () => transport.close() };
};

/** SMTP commands without secrets. All others belong to authentication. */
const LOGGED_COMMANDS = /^(?:EHLO|HELO|STARTTLS|MAIL|RCPT|DATA|RSET|QUIT)\b/;

const conversationLogger = (conversation: Conversation): ExternalLogger => {
	const silent = (): void => undefined;
	const debug = (entry: { readonly tnx?: unknown }, text = ''): void => {
		if (entry.tnx === 'client')
			conversation(`> ${LOGGED_COMMANDS.test(text) ? text : '(signing in)'}`);
		if (entry.tnx === 'server') conversation(`< ${text}`);
	};
	return { debug, trace: silent, info: silent, warn: silent, error: silent, fatal: silent };
};
