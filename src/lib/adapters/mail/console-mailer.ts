import type { Mail, Mailer } from '#lib/domain/index.ts';
import { kindOf } from './rendered-email.ts';

const lineOf = (mail: Mail, origin: string): string => {
	const { name, detail } = kindOf(mail);
	const line = `${name} for ${mail.to}`;
	return detail === undefined ? line : `${line}: ${detail(mail, origin)}`;
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
