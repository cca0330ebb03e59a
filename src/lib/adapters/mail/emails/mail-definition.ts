import { isIP } from 'node:net';
import type { RequestSource } from '#lib/domain/client.ts';
import type { Email } from '#lib/domain/email.ts';
import type { AnyMail, Mail } from '#lib/domain/mail.ts';
import { describeDevice } from '#lib/device-name.ts';
import type { Messages } from '#lib/messages/messages.ts';
import type { SignInLayout } from '#lib/sign-in-layouts.ts';
import type { TemplateValues } from '../render-template.ts';
import type { Letter } from './layout.ts';

/** A test email with which operators check their mail settings. No use-case sends it. */
interface MailCheck extends AnyMail {
	readonly kind: 'mail_check';
}

export type MailOf<Kind extends OutgoingMail['kind']> = OneKind<Mail | MailCheck, Kind>;
type OneKind<M, Kind> = M extends { readonly kind: infer K }
	? Kind extends K
		? M & { readonly kind: Kind }
		: never
	: never;

export type OutgoingMail = Mail | MailCheck;

/** One kind of email. `list.ts` has all of them. */
export interface MailDefinition<M extends AnyMail> {
	/** What the console calls it, such as `sign-in code`. */
	readonly name: string;
	/** What the console shows besides the recipient, such as the code. */
	readonly detail?: (mail: M, origin: string) => string;
	readonly write: (mail: M, wording: Wording) => Content;
	/** For the checks of an operator's templates, and for the preview in development. */
	readonly examples: readonly [Omit<M, 'kind'>, ...Omit<M, 'kind'>[]];
}

/** Its template, and the values of placeholders that other emails lack. */
export interface Content {
	readonly template: Letter;
	readonly subject: string;
	readonly values: TemplateValues;
}

interface Wording {
	readonly site: string;
	readonly origin: string;
	readonly signInLayout: SignInLayout;
	readonly messages: Messages;
}

export const [ada, grace] = ['ada@example.com', 'grace@example.net'] as [Email, Email];
export const requested = {
	at: new Date('2026-11-20T21:39:54Z'),
	source: {
		ipAddress: '203.0.113.7',
		userAgent:
			'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
	}
};
export const TOKEN = 'lQz0nX3hV-8sKq_2dFwYtR7bGmJcP5uE9iAoN1vHx4M';

/** How long a code or link works, rounded down, so that no email promises too much. */
export const lifetimeOf = (
	{ mail: texts }: Messages,
	{ lifetime }: { readonly lifetime: number }
): string => texts.time(Math.max(1, Math.floor(lifetime / 60)));

/**
 * The device and address of a request, such as `Chrome on Windows, 203.0.113.7`. Neither part may
 * contain text that the requester chose, and an IPv6 zone (`fe80::1%words`) could.
 */
const sourceText = (
	{ mail, device: words }: Messages,
	{ userAgent, ipAddress }: RequestSource
): string => {
	const device = describeDevice(userAgent, words);
	const known = isIP(ipAddress) !== 0 && !ipAddress.includes('%');
	return known ? mail.source(device, ipAddress) : device;
};

/** The time has no spaces that wrap, so that a narrow screen shows it whole, below its label. */
export const whenLine = ({ mail }: Messages, done: string, at: Date): string =>
	`${done}: ${mail.moment(at).replaceAll(' ', '\u00a0')}`;

export const eventLines = (
	messages: Messages,
	done: string,
	{ at, source }: { readonly at: Date; readonly source: RequestSource }
): TemplateValues => ({
	when: whenLine(messages, done, at),
	source: `Device: ${sourceText(messages, source)}`
});

export const requestText = (
	messages: Messages,
	{ at, source }: { readonly at: Date; readonly source: RequestSource }
): string => messages.mail.requested(messages.mail.moment(at), sourceText(messages, source));
