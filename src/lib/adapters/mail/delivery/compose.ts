import { Transform, type Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Email } from '#lib/domain/index.ts';
import type { RenderedLetter } from '../letter.ts';

/** What of the settings is in an email. */
export interface Sender {
	readonly from: { readonly name: string; readonly address: string };
	readonly replyTo: string | null;
}

/** What a transport is given to send. */
export const messageOf = (
	{ from, replyTo }: Sender,
	to: Email,
	{ subject, html, text }: RenderedLetter
): SendMailOptions => {
	// As parsed parts: an address that is parsed again may come out as another one.
	const recipient = { name: '', address: to };
	return {
		envelope: { from: { name: '', address: from.address }, to: [recipient] },
		from,
		to: recipient,
		...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
		subject,
		text,
		html,
		// Mailing-list robots and out-of-office replies leave such mail alone.
		headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
		xMailer: false
	};
};

/** Each piece would be a write to the socket of its own, and a mail is made of dozens. */
export const inOnePiece = (parts: Readable): Readable => {
	const pieces: Buffer[] = [];
	const whole = new Transform({
		transform: (piece: Buffer, _encoding, done) => {
			pieces.push(piece);
			done();
		},
		flush: (done) => done(null, Buffer.concat(pieces))
	});
	parts.once('error', (error) => whole.destroy(error));
	return parts.pipe(whole);
};

/** Composes emails as for sending them, and drops them. */
export const openRehearsal = (
	sender: Sender
): ((to: Email, letter: RenderedLetter) => Promise<void>) => {
	const transport = createTransport({ streamTransport: true, buffer: true });
	transport.use('stream', (mail, done) => {
		mail.message.processFunc(inOnePiece);
		done();
	});
	return async (to, letter) => void (await transport.sendMail(messageOf(sender, to, letter)));
};
