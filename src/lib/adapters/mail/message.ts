import { channel, type Channel } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import { messageName } from '#lib/domain/delivery/use-cases.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MailId } from '#lib/domain/ids.ts';
import type { Signer } from '#lib/domain/ports.ts';
import { POSTMARK_FIELD } from '#lib/config/mail.ts';
import type { RenderedMail } from './mail-renderer.ts';

/** Gets `{ mail, delivery }` after each attempt to send an email. The development server listens. */
export const mailAttempts: Channel = channel('postern.mail-attempt');

export interface Sender {
	readonly from: { readonly name: string; readonly address: string };
	readonly replyTo: string | null;
	readonly host: string;
	/** Signs the Message-ID of an email that has an id, so that a bounce can be matched with it. */
	readonly messageSigner?: Signer;
}

const POSTMARK = /(?:^|\.)postmarkapp\.com$/i;

/** Builds the message for a transport. Messages with one `id` have the same Message-ID. */
export const messageOf = (
	{ from, replyTo, host, messageSigner }: Sender,
	to: Email,
	{ subject, html, text }: RenderedMail,
	id?: MailId
): SendMailOptions => {
	// Passed as parsed parts: parsing an email address again could produce a different one.
	const recipient = { name: '', address: to };
	const name = id && messageSigner ? messageName(messageSigner, id, to) : null;
	return {
		envelope: { from: { name: '', address: from.address }, to: [recipient] },
		from,
		to: recipient,
		...(name !== null && { messageId: `<${name}@${from.address.split('@').at(-1)}>` }),
		...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
		subject,
		text,
		html,
		// These headers stop mailing lists and out-of-office programs from replying.
		headers: {
			'Auto-Submitted': 'auto-generated',
			'X-Auto-Response-Suppress': 'All',
			// Postmark reports an id of its own when an email bounces, but returns metadata of up to 80
			// characters, which is as long as our names are. It removes these headers from the email.
			...(name !== null &&
				POSTMARK.test(host) && {
					[`X-PM-Metadata-${POSTMARK_FIELD}`]: name,
					'X-PM-KeepID': 'true'
				})
		},
		xMailer: false
	};
};

/** Each of the dozens of pieces of an email would cost a socket write. */
export const joinPieces = (parts: Readable): Readable =>
	Readable.from(
		(async function* () {
			yield await buffer(parts);
		})()
	);

/** Composes an email as if to send it, and discards it. */
export const discardingTransport = (): Transporter => {
	const transport = createTransport({ streamTransport: true, buffer: true });
	transport.use('stream', (mail, done) => {
		mail.message.processFunc(joinPieces);
		done();
	});
	return transport;
};
