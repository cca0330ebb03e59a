import { encode, wrap } from 'nodemailer/lib/qp';

/** What nodemailer accepts as the text of a part: text, or a finished part. */
export type Part = string | { readonly raw: string };

const ASCII = /^[\0-\x7f]*$/;

/**
 * Encodes the text or HTML part of an email. Nodemailer encodes through a chain of streams, which
 * takes longer than everything else about an email. Most emails are ASCII and need no stream. For
 * other text nodemailer chooses between two encodings, so it encodes that itself.
 */
export const encodedPart = (type: 'plain' | 'html', text: string): Part =>
	ASCII.test(text)
		? {
				raw: [
					`Content-Type: text/${type}; charset=utf-8`,
					'Content-Transfer-Encoding: quoted-printable',
					'',
					wrap(encode(text.replaceAll(/\r?\n/g, '\r\n')))
				].join('\r\n')
			}
		: text;
