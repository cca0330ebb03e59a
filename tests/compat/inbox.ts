import { setTimeout as pause } from 'node:timers/promises';
import { present } from '../support/http/fixtures.ts';
import type { SmtpSink } from '../support/mail/smtp-sink.ts';

/** The codes that arrived at a mail server. */
export interface Inbox {
	/** The newest code for an email address. Waits for its first one. */
	codeTo(email: string): Promise<string>;
}

export const inboxOf = ({ mails }: SmtpSink): Inbox => {
	const codes = new Map<string, string>();
	let read = 0;
	const newest = (email: string): string | undefined => {
		for (; read < mails.length; read += 1) {
			const { recipients, raw } = present(mails[read]);
			// The code has a line of its own in the plain text.
			const [, code] = /^(\d{6})\r?$/m.exec(raw) ?? [];
			if (code !== undefined) codes.set(recipients[0] ?? '', code);
		}
		return codes.get(email);
	};
	return {
		codeTo: async (email) => {
			// The answer to a request for an email change does not wait for its email.
			for (;;) {
				const code = newest(email);
				if (code !== undefined) return code;
				await pause(20);
			}
		}
	};
};
