import type { Mailer } from '#lib/domain/mail.ts';
import { definitionOf } from './emails/list.ts';
import { mailAttempts } from './message.ts';

interface Screen {
	/** True for a terminal, which a person reads. Absent for a file or a pipe. */
	readonly isTTY?: boolean;
	readonly columns?: number;
}

const FALLBACK_WIDTH = 80;

/**
 * Writes each email as one line instead of sending it, for a machine without a mail server. The
 * output contains codes and links, so the configuration decides where this mailer is allowed.
 *
 * In a terminal, a line with a code or link is printed between two horizontal lines. No box: a
 * wrapped link must stay clickable.
 */
export const consoleMailer = (
	origin: string,
	write: (line: string) => void,
	screen: Screen
): Mailer => ({
	send: async (mail) => {
		const { name, detail } = definitionOf(mail);
		const content = detail === undefined ? '' : `: ${detail(mail, origin)}`;
		const line = `[postern] ${name} for ${mail.to}${content}`;
		const givesAccess = mail.code ?? mail.token ?? mail.undoToken;
		write(givesAccess && screen.isTTY ? framed(line, screen.columns) : line);
		mailAttempts.publish({ mail, delivery: 'sent' });
		return 'sent';
	}
});

const framed = (line: string, columns = FALLBACK_WIDTH): string => {
	const rule = '─'.repeat(Math.min(line.length, columns));
	return `\n${rule}\n${line}\n${rule}\n`;
};
