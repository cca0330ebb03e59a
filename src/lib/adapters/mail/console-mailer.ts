import type { Mail, Mailer } from '#lib/domain/index.ts';
import { changeLink } from './change-link.ts';

const lineOf = (mail: Mail, origin: string): string => {
	switch (mail.kind) {
		case 'sign_in_code':
			return `sign-in code for ${mail.to}: ${mail.code}`;
		case 'email_verification_code':
			return `email-verification code for ${mail.to}: ${mail.code}`;
		case 'email_change_code':
			return `email-change code for ${mail.to}: ${mail.code}`;
		case 'reauthentication_code':
			return `reauthentication code for ${mail.to}: ${mail.code}`;
		case 'email_change_link':
			return `email-change link for ${mail.to}: ${changeLink(origin, mail.token, mail.callbackUrl)}`;
		case 'email_change_notice':
			return `email-change notice for ${mail.to}: ${mail.stage}`;
		case 'account_deleted':
			return `account-deleted mail for ${mail.to}`;
		case 'welcome':
			return `welcome mail for ${mail.to}`;
	}
};

/**
 * Writes each email as one line instead of sending it, for a machine without a mail server. The
 * output contains codes and links, so the configuration decides where this mailer is allowed.
 */
export const consoleMailer = (origin: string, write: (line: string) => void): Mailer => ({
	send: async (mail) => {
		write(`[postern] ${lineOf(mail, origin)}`);
		return 'sent';
	}
});
