import type { AddressInfo, Socket } from 'node:net';
import { generate } from 'selfsigned';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** What the server does with the next emails. */
export type Behaviour =
	| 'accept'
	| 'refuse_auth'
	| 'refuse_sender'
	| 'refuse_recipient'
	| 'greylist'
	| 'refuse_data'
	/** Never answers where the recipient is named: nothing was handed over. */
	| 'hang_before_data'
	/** Takes the text and never answers. */
	| 'hang_after_data'
	/** Hangs up in the middle of the text. */
	| 'close_mid_data'
	/** Takes the text and hangs up without an answer. */
	| 'close_after_data'
	/** Hangs up where the recipient is named: nothing was handed over. */
	| 'close_before_data';

export interface SunkMail {
	readonly from: string;
	/** As given to the server, before the text. */
	readonly recipients: readonly string[];
	readonly raw: string;
	readonly user: string | null;
	readonly secure: boolean;
	readonly hello: string;
}

interface SinkOptions {
	/** TLS from the first byte, STARTTLS, or none. */
	readonly tls?: 'implicit' | 'starttls' | 'none';
	readonly certificate?: Certificate;
	readonly requireAuth?: boolean;
	/**
	 * How long it takes to answer the text of an email, in milliseconds. Can depend on how many emails
	 * arrived before.
	 */
	readonly delay?: number | ((before: number) => number);
	/** Instead of what it does by itself. */
	readonly handlers?: Handlers;
}

export type Handlers = Required<Pick<SMTPServerOptions, 'onRcptTo' | 'onData'>>;

export interface Certificate {
	readonly key: string;
	readonly cert: string;
}

/** A self-signed certificate for these names and addresses. */
export const aCertificate = async (name: string, ip?: string): Promise<Certificate> => {
	const made = await generate([{ name: 'commonName', value: name }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 2, value: name },
					...(ip === undefined ? [] : [{ type: 7 as const, ip }])
				]
			}
		]
	});
	return { key: made.private, cert: made.cert };
};

const reply = (code: number, text: string): Error =>
	Object.assign(new Error(text), { responseCode: code });

/** A local mail server that stores what it gets and fails on request. */
export const startSmtpSink = async (options: SinkOptions = {}) => {
	const { tls = 'none', certificate, requireAuth = false, delay = 0, handlers } = options;
	const mails: SunkMail[] = [];
	const sockets = new Set<Socket>();
	const named: string[] = [];
	let connections = 0;
	let behaviour: Behaviour = 'accept';
	let only: string | null = null;
	const meets = (wanted: Behaviour, recipient?: string): boolean =>
		behaviour === wanted && (only === null || recipient === undefined || recipient === only);
	const hangUp = (port?: number): void => {
		// Under TLS these are the underlying sockets, and destroying one of them crashes Node 24.
		if (tls !== 'none') return;
		for (const socket of sockets) {
			if (port === undefined || socket.remotePort === port) socket.destroy();
		}
	};

	const settings: SMTPServerOptions = {
		secure: tls === 'implicit',
		...certificate,
		disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
		authOptional: !requireAuth,
		allowInsecureAuth: true,
		authMethods: ['PLAIN'],
		disableReverseLookup: true,
		logger: false,
		closeTimeout: 500,
		onAuth: (auth, _session, done) =>
			meets('refuse_auth')
				? done(reply(535, '5.7.8 bad credentials'))
				: done(null, { user: `${auth.username}:${auth.password}` }),
		onMailFrom: (_address, _session, done) =>
			done(meets('refuse_sender') ? reply(550, '5.7.1 domain is not verified') : null),
		onRcptTo: ({ address }, session, done) => {
			if (meets('refuse_recipient', address)) return done(reply(550, '5.1.1 no such mailbox'));
			if (meets('greylist', address)) return done(reply(450, '4.2.0 greylisted'));
			if (meets('close_before_data', address)) return hangUp(session.remotePort);
			if (meets('hang_before_data', address)) return;
			done();
		},
		onData: (stream, session, done) => {
			const recipients = session.envelope.rcptTo.map(({ address }) => address);
			if (meets('close_mid_data', recipients[0])) {
				stream.once('data', () => hangUp(session.remotePort));
				return;
			}
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				if (meets('refuse_data', recipients[0])) return done(reply(554, '5.6.0 looks like spam'));
				const { mailFrom } = session.envelope;
				mails.push({
					from: mailFrom === false ? '' : mailFrom.address,
					recipients,
					raw: Buffer.concat(chunks).toString('utf8'),
					user: session.user ?? null,
					secure: session.secure,
					hello: session.hostNameAppearsAs
				});
				if (meets('hang_after_data', recipients[0])) return;
				if (meets('close_after_data', recipients[0])) return hangUp(session.remotePort);
				const wait = typeof delay === 'number' ? delay : delay(mails.length - 1);
				if (wait > 0) setTimeout(done, wait);
				else done();
			});
		},
		...handlers
	};
	const server = new SMTPServer(settings);
	// Some tests are about handshakes that clients abort.
	server.on('error', () => undefined);
	server.server.on('connection', (socket: Socket) => {
		connections += 1;
		sockets.add(socket);
		const forget = (): void => void sockets.delete(socket);
		socket.setNoDelay(true).once('end', forget).once('close', forget);
		// The server library returns parsed addresses, not the original bytes.
		if (tls === 'none') {
			socket.on('data', (chunk: Buffer) => {
				const commands = chunk.toString('utf8').matchAll(/^RCPT TO:<(.*)>\r$/gm);
				named.push(...[...commands].map(([, address = '']) => address));
			});
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.server.address() as AddressInfo).port,
		mails: mails as readonly SunkMail[],
		/** The arguments of RCPT commands, byte for byte; only without TLS. */
		named,
		/** Connections made so far. */
		get connections() {
			return connections;
		},
		/** Connections that are open now. */
		open: () => sockets.size,
		behave: (next: Behaviour, recipient?: string) => {
			behaviour = next;
			only = recipient ?? null;
		},
		forget: () => {
			mails.splice(0);
			named.splice(0);
		},
		/** Whether the client of a connection is still there. */
		isConnected: (port: number) => [...sockets].some(({ remotePort }) => remotePort === port),
		/** Closes one connection; not under TLS. */
		hangUp: (port: number) => hangUp(port),
		/** Closes every connection, as servers do after a while; not under TLS. */
		dropConnections: () => hangUp(),
		stop: async () => {
			hangUp();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		}
	};
};

export type SmtpSink = Awaited<ReturnType<typeof startSmtpSink>>;
