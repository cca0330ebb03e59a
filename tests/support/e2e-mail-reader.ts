import { expect } from '@playwright/test';
import type { BuiltServer } from './built-server.ts';

/** Reads the mails of people from the lines that a server without a mail service prints. */
export interface MailReader {
	/** The code of the next mail to this address that has not been read; waits for it. */
	codeFor(address: string): Promise<string>;
	/** How many codes went to this address so far. */
	codesSentTo(address: string): number;
	/** How many times this address was welcomed so far. */
	welcomesTo(address: string): number;
}

export const mailReader = (server: BuiltServer): MailReader => {
	const read = new Map<string, number>();
	return {
		codeFor: async (address) => {
			const before = read.get(address) ?? 0;
			await expect
				.poll(() => server.codesSentTo(address), `a mail to ${address}`)
				.toBeGreaterThan(before);
			read.set(address, server.codesSentTo(address));
			return server.codeFor(address);
		},
		codesSentTo: (address) => server.codesSentTo(address),
		welcomesTo: (address) =>
			server.output().split(`[postern] welcome mail for ${address}\n`).length - 1
	};
};

/** A code of the right shape that is not this one. */
export const anotherCode = (code: string, distance = 1): string =>
	String((Number(code) + distance) % 10 ** code.length).padStart(code.length, '0');
