import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts';
import type { MailedCode } from './mail-process.ts';

// Takes mails and tells the parent the codes in them; keeps nothing, however long it runs.

/** Between two looks into what has come, in milliseconds. */
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
