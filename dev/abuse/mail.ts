import PostalMime from 'postal-mime';
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts';

/** A slow mail server. It keeps the emails to the owners only. */
export interface SlowMailServer {
	readonly port: number;
	/** All emails so far. */
	count(): number;
	/** The code in the newest email to an address that contains one. */
	codeFor(email: string): Promise<string | null>;
	stop(): Promise<void>;
}

/** `delay` is how long it takes for an email, in milliseconds. */
export const startSlowMailServer = async (
	delay: number,
	isOwner: (email: string) => boolean
): Promise<SlowMailServer> => {
	const sink = await startSmtpSink({ delay });
	const kept = new Map<string, string[]>();
	let counted = 0;
	const read = (): void => {
		for (const { recipients, raw } of sink.mails) {
			const [email = ''] = recipients;
			counted += 1;
			if (isOwner(email)) kept.set(email, [...(kept.get(email) ?? []).slice(-4), raw]);
		}
		sink.forget();
	};
	return {
		port: sink.port,
		count: () => {
			read();
			return counted;
		},
		codeFor: async (email) => {
			read();
			for (const raw of (kept.get(email) ?? []).toReversed()) {
				const { text } = await PostalMime.parse(raw);
				const [, code] = /\b(\d{6})\b/.exec(text ?? '') ?? [];
				if (code !== undefined) return code;
			}
			return null;
		},
		stop: () => sink.stop()
	};
};
