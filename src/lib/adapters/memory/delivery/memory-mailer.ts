import type { Code, Delivery, LinkToken, Mail, Mailer } from '#lib/domain/index.ts';

export type CodeMail = Extract<Mail, { readonly code: Code }>;

export interface MemoryMailer extends Mailer {
	/**
	 * Every email that reached its mailbox, in order. Emails with the outcome `unknown` are
	 * included.
	 */
	readonly mails: readonly Mail[];
	/**
	 * The newest code sent to an address, of any kind unless one is given. Null when it got none.
	 */
	lastCodeTo(address: string, kind?: CodeMail['kind']): Code | null;
	/** The token of the newest link sent to an address. Null when it got none. */
	lastLinkTo(address: string): LinkToken | null;
	/** Sets the outcome of all later emails, except those to the sentinel addresses. */
	meet(delivery: Delivery): void;
}

/** Sending to these addresses always fails, so that tests from outside can cause a failure. */
const SENTINELS: ReadonlyMap<string, Delivery> = new Map([
	['bounces@example.test', 'refused'],
	['rejected@example.test', 'rejected'],
	['nobody@example.test', 'bounced'],
	['slow@example.test', 'unknown'],
	['busy@example.test', 'busy']
]);

/** Stores emails instead of sending them. */
export const memoryMailer = (): MemoryMailer => {
	const mails: Mail[] = [];
	let usual: Delivery = 'sent';
	return {
		mails,
		send: async (mail) => {
			const delivery = SENTINELS.get(mail.to) ?? usual;
			if (delivery === 'sent' || delivery === 'unknown') mails.push(mail);
			return delivery;
		},
		lastCodeTo: (address, kind) =>
			mails
				.filter((mail) => 'code' in mail)
				.findLast((mail) => mail.to === address && (kind === undefined || mail.kind === kind))
				?.code ?? null,
		lastLinkTo: (address) =>
			mails
				.filter((mail) => mail.kind === 'email_change_link')
				.findLast((mail) => mail.to === address)?.token ?? null,
		meet: (delivery) => {
			usual = delivery;
		}
	};
};
