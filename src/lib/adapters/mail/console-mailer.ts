import type { Mailer } from '#lib/domain/mail.ts';
import { definitionOf } from './emails/list.ts';
import { mailAttempts } from './message.ts';

/**
 * Writes each email as one line instead of sending it, for a machine without a mail server. The
 * output contains codes and links, so the configuration decides where this mailer is allowed.
 *
 * In a terminal, empty lines set a line with a code or link apart.
 */
export const consoleMailer = (
	origin: string,
	write: (line: string) => void,
	isTerminal: boolean
): Mailer => ({
	send: async (mail) => {
		const { name, detail } = definitionOf(mail);
		const content = detail === undefined ? '' : `: ${detail(mail, origin)}`;
		const line = `[postern] ${name} for ${mail.to}${content}`;
		const givesAccess = mail.code ?? mail.token ?? mail.undoToken;
		write(givesAccess && isTerminal ? `\n${line}\n` : line);
		mailAttempts.publish({ mail, delivery: 'sent' });
		return 'sent';
	}
});
