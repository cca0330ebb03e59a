import { setTimeout as pause } from 'node:timers/promises';
import { settled } from '../tests/support/process/server-process.ts';
import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';

const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 20;

/**
 * The newest code of each address. Waits until all have arrived, because some servers respond
 * before they send the email.
 */
export const codesMailedTo = async (
	sink: SmtpSink,
	addresses: readonly string[]
): Promise<ReadonlyMap<string, string>> => {
	const deadline = performance.now() + PATIENCE_MS;
	const codes = new Map<string, string>();
	for (let read = 0; ;) {
		for (; read < sink.mails.length; read += 1) {
			const mail = sink.mails[read];
			const code = codeIn(mail?.raw ?? '');
			if (code !== null) for (const address of mail?.recipients ?? []) codes.set(address, code);
		}
		const missing = addresses.filter((address) => !codes.has(address));
		if (missing.length === 0) return codes;
		if (performance.now() > deadline) throw new Error(`${missing.length} codes were not mailed`);
		await pause(LOOK_EVERY_MS);
	}
};

/** Waits for `count` emails and returns the time, by the clock of `performance`. */
export const arrived = async (sink: SmtpSink, count: number): Promise<number> => {
	const deadline = performance.now() + PATIENCE_MS;
	while (sink.mails.length < count) {
		if (performance.now() > deadline) throw new Error(`${count} codes were not mailed`);
		await pause(LOOK_EVERY_MS);
	}
	return performance.now();
};

/** Searches only below the headers, which can contain six digits that are not a code. */
const codeIn = (raw: string): string | null =>
	/\b\d{6}\b/.exec(raw.slice(raw.indexOf('\r\n\r\n')))?.[0] ?? null;

/** Drops all emails once no more arrive, so that none disturbs the next measurement. */
export const emptied = async (sink: SmtpSink): Promise<void> => {
	await settled(() => sink.mails.length);
	sink.forget();
};
