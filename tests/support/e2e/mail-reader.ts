import type { BuiltServer, PrintedMail } from '../process/built-server.ts';

/** Reads emails from the lines that a server without a mail service prints. */
export interface MailReader {
	/** The content of the next unread email of a kind to this address; waits for it. */
	mailFor(kind: PrintedMail, address: string): Promise<string>;
	/** The next sign-in code. */
	codeFor(address: string): Promise<string>;
	verificationCodeFor(address: string): Promise<string>;
	changeCodeFor(address: string): Promise<string>;
	/** The next link for an email change. */
	linkFor(address: string): Promise<string>;
	/** How many emails of a kind went to this address so far. */
	mailsSentTo(kind: PrintedMail, address: string): number;
	/** How many sign-in codes. */
	codesSentTo(address: string): number;
	/** How many welcome emails went to this address so far. */
	welcomesTo(address: string): number;
}

export const mailReader = (server: BuiltServer): MailReader => {
	const read = new Map<string, number>();
	const { mailsSentTo } = server;
	const mailFor = async (kind: PrintedMail, address: string): Promise<string> => {
		const mailbox = `${kind} for ${address}`;
		const mail = await server.mailFor(kind, address, (read.get(mailbox) ?? 0) + 1);
		read.set(mailbox, mailsSentTo(kind, address));
		return mail;
	};
	return {
		mailFor,
		codeFor: (address) => mailFor('sign-in code', address),
		verificationCodeFor: (address) => mailFor('email-verification code', address),
		changeCodeFor: (address) => mailFor('email-change code', address),
		linkFor: (address) => mailFor('email-change link', address),
		mailsSentTo,
		codesSentTo: (address) => mailsSentTo('sign-in code', address),
		welcomesTo: (address) => mailsSentTo('welcome mail', address)
	};
};

/** A code of the right shape that is not this one. */
export const anotherCode = (code: string, distance = 1): string =>
	String((Number(code) + distance) % 10 ** code.length).padStart(code.length, '0');
