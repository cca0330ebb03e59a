import type { Delivery } from '#lib/domain/mail.ts';

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

/** Why sending failed, without email addresses or content, so that it can be logged. */
export interface MailFailure {
	readonly delivery: Extract<Delivery, 'not_sent' | 'unknown' | 'rejected' | 'bounced'>;
	readonly step: MailStep;
	/** The server's status, such as `550 5.1.1`, or a system error code, such as `ECONNREFUSED`. */
	readonly code: string;
}

interface SmtpError {
	readonly code?: unknown;
	/** The system's error code, which nodemailer replaces with its own in `code`. */
	readonly originalCode?: unknown;
	readonly command?: unknown;
	readonly response?: unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `550 5.1.1` of `550 5.1.1 <ada@example.com>: unknown`. Null if the response is not a refusal. */
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
 * The extended statuses of RFC 3463 that are about the email address of the recipient, or its
 * disabled mailbox. Others are often about the sender, such as 5.1.8 and 5.7.1.
 */
const ABOUT_RECIPIENT = /^5\d\d 5\.(?:1\.(?:[1236]|10)|2\.1)$/;
/** Without an extended status, only the text shows what a refusal is about. */
const NAMES_RECIPIENT = /user|mailbox|recipient|address|account|no such/i;
const NAMES_SENDER = /relay|sender|block|list|spam|policy|\bip\b/i;

const isAboutRecipient = (refusal: string, response: string): boolean => {
	if (!/^55[013]$/.test(refusal)) return ABOUT_RECIPIENT.test(refusal);
	const text = response.replace(/\S+@\S+/g, '');
	return NAMES_RECIPIENT.test(text) && !NAMES_SENDER.test(text);
};

/** The operator can fix a refusal of the sender, so it is retried. */
const refusalOf = (
	refusal: string | null,
	response: string,
	step: MailStep
): 'not_sent' | 'rejected' | 'bounced' => {
	if (refusal?.startsWith('5') !== true) return 'not_sent';
	if (step === 'recipient') return isAboutRecipient(refusal, response) ? 'bounced' : 'rejected';
	return step === 'content' ? 'rejected' : 'not_sent';
};

/**
 * Decides whether the email was certainly not delivered. It was not if the server refused it before
 * accepting it, or if its text was never sent, whatever the reason. Otherwise only the server knows.
 */
export const failureOf = (thrown: unknown, textBegan: boolean): MailFailure => {
	const error: SmtpError = typeof thrown === 'object' && thrown !== null ? thrown : {};
	const code = textOf(error.code);
	if (code === 'EABORT' || code === 'ETIMEDOUT') {
		return { delivery: textBegan ? 'unknown' : 'not_sent', step: 'deadline', code: 'ETIMEDOUT' };
	}
	const response = textOf(error.response);
	const refusal = refusalIn(response);
	const system = textOf(error.originalCode) || code;
	const step = stepOf(error, refusal, system);
	return {
		delivery: refusal === null && textBegan ? 'unknown' : refusalOf(refusal, response, step),
		step,
		code: refusal ?? (system || 'unknown')
	};
};
