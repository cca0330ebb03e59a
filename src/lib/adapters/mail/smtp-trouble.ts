import type { Delivery } from '#lib/domain/index.ts';

/** How far a mail came: the step that failed. */
export type MailStep =
	| 'dns'
	| 'connect'
	| 'tls'
	| 'greeting'
	| 'auth'
	| 'sender'
	| 'recipient'
	| 'content'
	| 'connection'
	| 'deadline';

/** What went wrong, without address or content, so that it may be logged. */
export interface MailTrouble {
	readonly delivery: Extract<Delivery, 'refused' | 'unknown'>;
	readonly step: MailStep;
	/** The server's reply, such as `550 5.1.1`, or the system's word, such as `ECONNREFUSED`. */
	readonly code: string;
}

interface SmtpError {
	readonly code?: unknown;
	/** What the system called it, before nodemailer named it. */
	readonly originalCode?: unknown;
	readonly command?: unknown;
	readonly response?: unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `550 5.1.1` of `550 5.1.1 <ada@example.com>: unknown`; nothing where no refusal was said. */
const refusalIn = (response: string): string | null =>
	/^([45]\d\d)(?:[ -](\d\.\d{1,3}\.\d{1,3})\b)?/
		.exec(response)
		?.slice(1)
		.filter(Boolean)
		.join(' ') ?? null;

const BY_COMMAND: readonly (readonly [RegExp, MailStep])[] = [
	[/^AUTH/, 'auth'],
	[/^MAIL/, 'sender'],
	[/^RCPT/, 'recipient'],
	[/^DATA/, 'content'],
	[/^STARTTLS/, 'tls'],
	[/^(CONN|EHLO|HELO)/, 'greeting']
];
const BY_CODE: Readonly<Record<string, MailStep>> = { EDNS: 'dns', ETLS: 'tls', EAUTH: 'auth' };
const CERTIFICATE = /CERT|^ERR_(?:TLS|SSL)|^UNABLE_TO_|^EPROTO$|^(?:INVALID|PATH)_/;
const UNREACHABLE = /^E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|ADDRNOTAVAIL|ACCES|PERM)$/;

const stepOf = ({ code, command }: SmtpError, refusal: string | null, system: string): MailStep => {
	const said = refusal !== null || code === 'EENVELOPE' || code === 'EMESSAGE';
	const step = said && BY_COMMAND.find(([pattern]) => pattern.test(textOf(command)))?.[1];
	if (step) return step;
	if (CERTIFICATE.test(system)) return 'tls';
	if (UNREACHABLE.test(system)) return 'connect';
	return BY_CODE[textOf(code)] ?? 'connection';
};

/**
 * Whether the email is certainly not on its way. A server that refuses it has not taken it; neither
 * has one that never began to get the text, whatever the reason. After that only the server knows.
 */
export const troubleOf = (thrown: unknown, textBegan: boolean): MailTrouble => {
	const error: SmtpError = typeof thrown === 'object' && thrown !== null ? thrown : {};
	const code = textOf(error.code);
	if (code === 'EABORT' || code === 'ETIMEDOUT') {
		return { delivery: textBegan ? 'unknown' : 'refused', step: 'deadline', code: 'ETIMEDOUT' };
	}
	const refusal = refusalIn(textOf(error.response));
	const system = textOf(error.originalCode) || code;
	return {
		delivery: refusal === null && textBegan ? 'unknown' : 'refused',
		step: stepOf(error, refusal, system),
		code: refusal ?? (system || 'unknown')
	};
};
