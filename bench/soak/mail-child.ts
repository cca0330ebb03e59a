import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts';
import type { MailedCode } from './mail-process.ts';

// A mail server process that sends the codes it receives to its parent and keeps no emails.

/** The time between two checks for new emails, in milliseconds. */
const LOOK_EVERY = 10;

const sink = await startSmtpSink();
setInterval(() => {
	const codes = sink.mails.flatMap(({ recipients, raw }): readonly MailedCode[] => {
		const [, code] = /^(\d{6})\r?$/m.exec(raw) ?? [];
		const [email] = recipients;
		return code === undefined || email === undefined ? [] : [{ email, code }];
	});
	sink.forget();
	if (codes.length > 0) process.send?.(codes);
}, LOOK_EVERY);
process.on('disconnect', () => process.exit());
process.send?.(sink.port);
