import { setTimeout as pause } from 'node:timers/promises';
import type { BuiltServer, PrintedMail } from '../process/built-server.ts';

const PATIENCE = 10_000;

/** The emails that several servers print, also after a restart, in one place. */
export const openMailbox = (servers: () => readonly BuiltServer[]) => {
	const found = new Map<string, string[]>();
	const read = new Map<BuiltServer, number>();

	const look = (): void => {
		for (const server of servers()) {
			const printed = server.lines.slice(read.get(server) ?? 0);
			read.set(server, (read.get(server) ?? 0) + printed.length);
			for (const line of printed) {
				const [, kind, email, text = ''] = /^\[postern\] (.+?) for (\S+): (.*)$/.exec(line) ?? [];
				if (kind === undefined) continue;
				const key = `${kind} ${email}`;
				found.set(key, [...(found.get(key) ?? []), text]);
			}
		}
	};
	const mails = (kind: PrintedMail, email: string): readonly string[] => {
		look();
		return found.get(`${kind} ${email}`) ?? [];
	};
	return {
		/** The contents of the emails of a kind to an address, as far as they were read. */
		mails,
		/**
		 * Waits until there are this many, or until `given up` returns true; returns the newest, or
		 * null.
		 */
		newest: async (kind: PrintedMail, email: string, count: number, givenUp: () => boolean) => {
			for (const since = performance.now(); ; await pause(4)) {
				const seen = mails(kind, email);
				if (seen.length >= count) return seen.at(-1) ?? null;
				if (givenUp()) return null;
				if (performance.now() - since > PATIENCE) throw new Error(`no ${kind} for ${email}`);
			}
		}
	};
};

export type Mailbox = ReturnType<typeof openMailbox>;
