import { vi } from 'vitest';
import type { SmtpSink } from './smtp-sink.ts';

/**
 * The code in the newest email to an address; waits for its first one, as the answer to a request for an
 * email change does not. The code has a line of its own in the plain text.
 */
export const codeMailedTo = ({ mails }: SmtpSink, email: string): Promise<string> =>
	vi.waitUntil(() => {
		const mail = mails.findLast(({ recipients }) => recipients.includes(email));
		return /^(\d{6})\r?$/m.exec(mail?.raw ?? '')?.[1];
	}, 20_000);
