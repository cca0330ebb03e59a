import type { Mail, Mailer } from '#lib/domain/index.ts';

const lineOf = (mail: Mail): string => {
	switch (mail.kind) {
		case 'sign_in_code':
			return `[postern] sign-in code for ${mail.to}: ${mail.code}`;
		case 'welcome':
			return `[postern] welcome mail for ${mail.to}`;
	}
};

/**
 * Writes mails as single lines instead of sending them, for a machine without a mail service. It
 * shows codes to whoever reads the output, so the configuration decides where it may be used.
 */
export const consoleMailer = (write: (line: string) => void): Mailer => ({
	send: async (mail) => {
		write(lineOf(mail));
		return 'sent';
	}
});
