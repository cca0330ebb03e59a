import type { Email } from '#lib/domain/email.ts';
import type { Mail } from '#lib/domain/mail.ts';
import type { Code, LinkToken } from '#lib/domain/secret.ts';
import type { NewDeviceToken, UndoToken } from '#lib/domain/signed-links.ts';

type MailOf<K extends Mail['kind']> = Extract<Mail, { readonly kind: K }>;
type CodeMail<K> = Omit<MailOf<'sign_in_code' | 'email_verification_code'>, 'kind'> & {
	readonly kind: K;
};

const ada = 'ada@example.com' as Email;
const grace = 'grace@example.net' as Email;
const at = new Date('2026-11-20T21:39:54Z');
const device = {
	ipAddress: '203.0.113.7',
	userAgent:
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
};

export const EXAMPLE_TOKEN = 'lQz0nX3hV-8sKq_2dFwYtR7bGmJcP5uE9iAoN1vHx4M' as LinkToken;

interface ExampleMails {
	readonly sign_in_code: CodeMail<'sign_in_code'>;
	readonly email_verification_code: CodeMail<'email_verification_code'>;
	readonly email_change_code: MailOf<'email_change_code'>;
	readonly email_change_link: MailOf<'email_change_link'>;
	readonly reauthentication_code: CodeMail<'reauthentication_code'>;
	readonly email_change_notice: MailOf<'email_change_notice'>;
	readonly email_change_undone: MailOf<'email_change_undone'>;
	readonly account_deleted: MailOf<'account_deleted'>;
	readonly new_device: MailOf<'new_device'>;
	readonly welcome: MailOf<'welcome'>;
}

/** One mail of every kind. A kind that is missing here does not compile. */
export const exampleMails: ExampleMails & Readonly<Record<Mail['kind'], Mail>> = {
	sign_in_code: {
		kind: 'sign_in_code',
		to: ada,
		code: '012345' as Code,
		lifetime: 600,
		at,
		device
	},
	email_verification_code: {
		kind: 'email_verification_code',
		to: ada,
		code: '012346' as Code,
		lifetime: 600,
		at,
		device
	},
	email_change_code: {
		kind: 'email_change_code',
		to: grace,
		account: ada,
		code: '012347' as Code,
		lifetime: 600,
		at,
		device
	},
	email_change_link: {
		kind: 'email_change_link',
		to: grace,
		account: ada,
		token: EXAMPLE_TOKEN,
		callbackUrl: '/app?a=1&b=2',
		lifetime: 3600,
		at,
		device
	},
	reauthentication_code: {
		kind: 'reauthentication_code',
		to: ada,
		newEmail: grace,
		code: '012348' as Code,
		lifetime: 600,
		at,
		device
	},
	email_change_notice: {
		kind: 'email_change_notice',
		to: ada,
		newEmail: grace,
		stage: 'completed',
		undoToken: `undo.${EXAMPLE_TOKEN}` as string as UndoToken,
		undoUntil: new Date('2026-11-27T21:39:54Z'),
		at,
		device
	},
	email_change_undone: {
		kind: 'email_change_undone',
		to: grace,
		oldEmail: ada,
		at,
		device
	},
	account_deleted: {
		kind: 'account_deleted',
		to: ada,
		at,
		purgeAt: new Date('2026-12-20T21:39:54Z'),
		device
	},
	new_device: {
		kind: 'new_device',
		to: ada,
		token: `session.device.${EXAMPLE_TOKEN}` as string as NewDeviceToken,
		hasKey: true,
		at,
		device
	},
	welcome: { kind: 'welcome', to: ada }
};
