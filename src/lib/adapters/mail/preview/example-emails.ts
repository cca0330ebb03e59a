import type { Code, Email, LinkToken } from '#lib/domain/index.ts';
import type { OutgoingEmail } from '../rendered-email.ts';

const ada = 'ada@example.com' as Email;
const grace = 'grace@example.net' as Email;
const at = new Date('2026-11-20T21:39:54Z');
const device = {
	ipAddress: '203.0.113.7',
	userAgent:
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
};
const token = 'lQz0nX3hV-8sKq_2dFwYtR7bGmJcP5uE9iAoN1vHx4M' as LinkToken;

/** An example of every email, by name. */
const examples: Readonly<Record<string, OutgoingEmail>> = {
	'Sign-in code': {
		kind: 'sign_in_code',
		to: ada,
		code: '012345' as Code,
		lifetime: 600,
		at,
		device
	},
	'Verification code': {
		kind: 'email_verification_code',
		to: ada,
		code: '012346' as Code,
		lifetime: 600,
		at,
		device
	},
	'Code for a change of address': {
		kind: 'email_change_code',
		to: grace,
		account: ada,
		code: '012347' as Code,
		lifetime: 600,
		at,
		device
	},
	'Code before a change of address': {
		kind: 'reauthentication_code',
		to: ada,
		newEmail: grace,
		code: '012348' as Code,
		lifetime: 600,
		at,
		device
	},
	'Link for a change of address': {
		kind: 'email_change_link',
		to: grace,
		account: ada,
		token,
		callbackUrl: '/app',
		lifetime: 3600,
		at,
		device
	},
	'Change of address asked for': {
		kind: 'email_change_notice',
		to: ada,
		newEmail: grace,
		stage: 'requested',
		at,
		device
	},
	'Address changed': {
		kind: 'email_change_notice',
		to: ada,
		newEmail: grace,
		stage: 'completed',
		at,
		device
	},
	'Account deleted': {
		kind: 'account_deleted',
		to: ada,
		at,
		purgeAt: new Date('2026-12-20T21:39:54Z'),
		device
	},
	Welcome: { kind: 'welcome', to: ada },
	'Test mail': { kind: 'mail_check', to: ada }
};

export const exampleEmails: ReadonlyMap<string, OutgoingEmail> = new Map(Object.entries(examples));
