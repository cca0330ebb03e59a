import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { startSmtpSink, type Handlers } from '../../support/mail/smtp-sink.ts';
import { between, type Chance } from '../../support/http/seeded.ts';

/** How one attempt to hand over an email ended, as the mail server sees it. */
type AttemptEnd =
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

/**
 * A mail server that is slow, refuses emails for now, and hangs up after their text. The first email to
 * a recipient that `isSpared` is accepted at once, so that it can sign in.
 */
export const startUnreliableSink = async (
	chance: Chance,
	now: () => number,
	isSpared: (to: string) => boolean
) => {
	const attempts: Attempt[] = [];
	/** How many faults each recipient has met. A spared one is missing until its first email. */
	const faults = new Map<string, number>();
	const began = new Map<string, number>();
	let isReliable = false;
	let held: Promise<unknown> = Promise.resolve();

	const isFirstOf = (to: string): boolean => isSpared(to) && !faults.has(to);
	/** Whether this email meets a fault of this probability. */
	const fails = (to: string, share: number): boolean => {
		const met = faults.get(to) ?? 0;
		if (isReliable || isFirstOf(to) || met >= FAULTS_EACH || chance() >= share) return false;
		faults.set(to, met + 1);
		return true;
	};

	type OnData = Parameters<Handlers['onData']>;
	const receive = async (session: OnData[1], raw: Buffer, done: OnData[2]): Promise<void> => {
		const [to = ''] = session.envelope.rcptTo.map(({ address }) => address);
		const { subject = '', text = '', messageId = '' } = await PostalMime.parse(raw);
		const isDropped = fails(to, DROPPED);
		if (isFirstOf(to)) faults.set(to, 0);
		else if (!isReliable) await pause(between(chance, ...SLOWNESS));
		await held;
		// Timers run before input: a client that was killed meanwhile must be noticed first.
		await immediate();
		await immediate();
		let end: AttemptEnd = isDropped ? 'dropped' : 'accepted';
		if (!sink.isConnected(session.remotePort)) end = 'abandoned';
		attempts.push({ to, subject, text, messageId, began: began.get(session.id) ?? NaN, end });
		if (isDropped) sink.hangUp(session.remotePort);
		else done();
	};
	const sink = await startSmtpSink({
		handlers: {
			onRcptTo: ({ address }, session, done) => {
				began.set(session.id, now());
				if (!fails(address, DEFERRED)) return done();
				done(Object.assign(new Error('4.2.0 try again later'), { responseCode: 451 }));
			},
			onData: (stream, session, done) => {
				const pieces: Buffer[] = [];
				stream.on('data', (piece: Buffer) => pieces.push(piece));
				stream.on('end', () => void receive(session, Buffer.concat(pieces), done));
			}
		}
	});
	return {
		port: sink.port,
		attempts,
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
		stop: sink.stop
	};
};

export type UnreliableSink = Awaited<ReturnType<typeof startUnreliableSink>>;
