import type { Code, Delivery, LinkToken, Mail, Mailer } from '#lib/domain/index.ts';

export type CodeMail = Extract<Mail, { readonly code: Code }>;

export interface MemoryMailer extends Mailer {
	/** Every mail that reached its mailbox, in order; one of unknown fate did, unbeknown to us. */
	readonly mails: readonly Mail[];
	/** The newest code in the mailbox of an address, of any kind unless one is asked for; null when it never got one. */
	lastCodeTo(address: string, kind?: CodeMail['kind']): Code | null;
	/** The token of the newest link in the mailbox of an address; null when it never got one. */
	lastLinkTo(address: string): LinkToken | null;
	/** What becomes of the mails from now on, the sentinel addresses excepted. */
	meet(delivery: Delivery): void;
}

/** Addresses that always fail, so that failure can be driven from outside like anything else. */
const SENTINELS: ReadonlyMap<string, Delivery> = new Map([
	['bounces@example.test', 'refused'],
	['slow@example.test', 'unknown'],
	['busy@example.test', 'busy']
]);

/** Keeps mails instead of sending them. */
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
