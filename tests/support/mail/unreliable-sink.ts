import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { between, type Chance } from '../simulation/seeded.ts';

/** How one attempt to hand over an email ended, as the mail server sees it. */
export type AttemptEnd =
	/** Answered with 250. The client may have died before it read that. */
	| 'accepted'
	/** The server hung up after it had the whole text, without an answer. */
	| 'dropped'
	/** The client was gone before the server answered. */
	| 'abandoned';

/** An attempt whose whole text reached the server. */
export interface Attempt {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	readonly messageId: string;
	/** When the recipient was named, in milliseconds of the clock of `now`. */
	readonly began: number;
	readonly end: AttemptEnd;
}

/** How often one recipient meets a fault. More could use up the attempts of a code. */
const FAULTS_EACH = 2;
/** The shares of emails that are refused for now, and that are dropped after their text. */
const DEFERRED = 0.15;
const DROPPED = 0.1;
/** How long an answer to a text takes, in milliseconds. */
const SLOWNESS = [200, 1000] as const;

export interface UnreliableSinkOptions {
	readonly chance: Chance;
	/** The clock of the servers that send, in milliseconds. */
	readonly now: () => number;
	/** Whether the first email to this recipient is accepted at once, so that it can sign in. */
	readonly isSpared: (to: string) => boolean;
}

/** A mail server that is slow, refuses emails for now, and hangs up after their text. */
export const startUnreliableSink = async ({ chance, now, isSpared }: UnreliableSinkOptions) => {
	const attempts: Attempt[] = [];
	const sockets = new Map<number, Socket>();
	/** How many faults each recipient has met. A spared one is missing until its first email. */
	const faults = new Map<string, number>();
	const began = new Map<string, number>();
	let deferred = 0;
	let isReliable = false;
	let underWay = 0;
	let held: Promise<unknown> = Promise.resolve();

	/** Whether this email meets a fault of this probability. */
	const fails = (to: string, share: number): boolean => {
		const met = faults.get(to) ?? 0;
		if (isReliable || isFirstOf(to) || met >= FAULTS_EACH || chance() >= share) return false;
		faults.set(to, met + 1);
		return true;
	};
	const isFirstOf = (to: string): boolean => isSpared(to) && !faults.has(to);

	const server = new SMTPServer({
		disabledCommands: ['STARTTLS'],
		authOptional: true,
		allowInsecureAuth: true,
		authMethods: ['PLAIN'],
		disableReverseLookup: true,
		logger: false,
		closeTimeout: 500,
		onAuth: (_auth, _session, done) => done(null, { user: 'any' }),
		onRcptTo: ({ address }, session, done) => {
			began.set(session.id, now());
			if (!fails(address, DEFERRED)) return done();
			deferred += 1;
			done(Object.assign(new Error('4.2.0 try again later'), { responseCode: 451 }));
		},
		onData: (stream, session, done) => {
			const pieces: Buffer[] = [];
			stream.on('data', (piece: Buffer) => pieces.push(piece));
			stream.on('end', () => void receive(session, Buffer.concat(pieces), done));
		}
	});
	type Session = Parameters<NonNullable<typeof server.onData>>[1];

	const receive = async (session: Session, raw: Buffer, done: () => void): Promise<void> => {
		underWay += 1;
		const [to = ''] = session.envelope.rcptTo.map(({ address }) => address);
		const { subject = '', text = '', messageId = '' } = await PostalMime.parse(raw);
		const isDropped = fails(to, DROPPED);
		if (isFirstOf(to)) faults.set(to, 0);
		else if (!isReliable) await pause(between(chance, ...SLOWNESS));
		await held;
		// Timers run before input: a client that was killed meanwhile must be noticed first.
		await immediate();
		await immediate();
		const socket = sockets.get(session.remotePort);
		let end: AttemptEnd = 'accepted';
		if (socket === undefined) end = 'abandoned';
		else if (isDropped) end = 'dropped';
		attempts.push({ to, subject, text, messageId, began: began.get(session.id) ?? NaN, end });
		if (isDropped) socket?.destroy();
		else done();
		underWay -= 1;
	};

	// Clients that are killed reset their connections.
	server.on('error', () => undefined);
	server.server.on('connection', (socket: Socket) => {
		const { remotePort = 0 } = socket;
		sockets.set(remotePort, socket.setNoDelay(true));
		for (const event of ['end', 'close']) socket.once(event, () => sockets.delete(remotePort));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.server.address() as AddressInfo).port,
		attempts,
		/** How many emails it refused for now. */
		get deferred() {
			return deferred;
		},
		/** Whether the text of an email is under way. */
		isBusy: () => underWay > 0,
		/**
		 * Answers no text until the returned function is called. For the time in which a killed client
		 * still has open connections: it reads no answer any more.
		 */
		hold: () => {
			const { promise, resolve } = Promise.withResolvers();
			held = promise;
			return () => resolve(null);
		},
		/** From now on, accepts every email at once. */
		recover: () => {
			isReliable = true;
		},
		stop: async () => {
			for (const socket of sockets.values()) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		}
	};
};

export type UnreliableSink = Awaited<ReturnType<typeof startUnreliableSink>>;
