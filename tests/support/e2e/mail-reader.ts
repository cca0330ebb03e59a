import type { BuiltServer, PrintedMail } from '../process/built-server.ts';

/** Reads emails from the lines that a server without a mail service prints. */
export const mailReader = (server: BuiltServer) => {
	const read = new Map<string, number>();
	const { mailsSentTo } = server;
	const mailFor = async (kind: PrintedMail, address: string): Promise<string> => {
		const mailbox = `${kind} for ${address}`;
		const mail = await server.mailFor(kind, address, (read.get(mailbox) ?? 0) + 1);
		read.set(mailbox, mailsSentTo(kind, address));
		return mail;
	};
	return {
		/** The content of the next unread email of a kind to this address; waits for it. */
		mailFor,
		/** The next sign-in code. */
		codeFor: (address: string) => mailFor('sign-in code', address),
		changeCodeFor: (address: string) => mailFor('email-change code', address),
		/** The next link for an email change. */
		linkFor: (address: string) => mailFor('email-change link', address),
		/** How many emails of a kind went to this address so far. */
		mailsSentTo,
		codesSentTo: server.codesSentTo
	};
};

export type MailReader = ReturnType<typeof mailReader>;
