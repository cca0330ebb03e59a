import { encode, wrap } from 'nodemailer/lib/qp';

/** What the library takes for the text of a part: the text, or the finished part. */
export type Part = string | { readonly raw: string };

const ASCII = /^[\0-\x7f]*$/;

/**
 * The text or HTML part of a mail. The library encodes through a chain of streams, which costs more
 * than all the rest of a mail; ASCII, which most mails are, needs none of it. For other text the
 * library chooses between two encodings, so that is left to it.
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
