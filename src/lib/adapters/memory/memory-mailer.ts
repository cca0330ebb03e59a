import type { Code, Delivery, Mail, Mailer } from '#lib/domain/index.ts';

export interface MemoryMailer extends Mailer {
	/** Every mail that reached its mailbox, in order; one of unknown fate did, unbeknown to us. */
	readonly mails: readonly Mail[];
	/** The newest code in the mailbox of an address; null when it never got one. */
	lastCodeTo(address: string): Code | null;
	/** What becomes of the mails from now on, the sentinel addresses excepted. */
	meet(delivery: Delivery): void;
}

/** Addresses that always fail, so that failure can be driven from outside like anything else. */
const SENTINELS: ReadonlyMap<string, Delivery> = new Map([
	['bounces@example.test', 'refused'],
	['slow@example.test', 'unknown']
]);

/** Keeps mails instead of sending them. */
export const memoryMailer = (): MemoryMailer => {
	const mails: Mail[] = [];
	let usual: Delivery = 'sent';
	return {
		mails,
		send: async (mail) => {
			const delivery = SENTINELS.get(mail.to) ?? usual;
			if (delivery !== 'refused') mails.push(mail);
			return delivery;
		},
		lastCodeTo: (address) => {
			const mail = mails.findLast((one) => one.kind === 'sign_in_code' && one.to === address);
			return mail?.kind === 'sign_in_code' ? mail.code : null;
		},
		meet: (delivery) => {
			usual = delivery;
		}
	};
};
