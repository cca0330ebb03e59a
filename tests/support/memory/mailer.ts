import type { OutboxWorker, WorkerParts } from '#lib/adapters/mail/outbox-worker.ts';
import type { ChangeNotices } from '#lib/domain/email-change/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { EmailChangeNoticeMail, Delivery, Mail, Mailer } from '#lib/domain/mail.ts';
import type { Code } from '#lib/domain/secret.ts';
import type { ChangeLinkToken, UndoToken } from '#lib/domain/signed-links.ts';
import type { BackgroundWork } from './drivers.ts';

type CodeMail = Extract<Mail, { readonly code: Code }>;

/** Sending to these addresses always fails, so that tests from outside can cause a failure. */
const SENTINELS: ReadonlyMap<string, Delivery> = new Map([
	['bounces@example.test', 'not_sent'],
	['rejected@example.test', 'rejected'],
	['nobody@example.test', 'bounced'],
	['slow@example.test', 'unknown'],
	['busy@example.test', 'busy']
]);

/** Stores emails instead of sending them. */
export const memoryMailer = () => {
	const mails: Mail[] = [];
	let usual: Delivery = 'sent';
	const send: Mailer['send'] = async (mail) => {
		const delivery = SENTINELS.get(mail.to) ?? usual;
		if (delivery === 'sent' || delivery === 'unknown') mails.push(mail);
		return delivery;
	};
	return {
		/** Every email that reached its mailbox, in order, also those with the outcome `unknown`. */
		mails: mails as readonly Mail[],
		send,
		/** The newest code sent to an address, of any kind unless one is given. Null without one. */
		lastCodeTo: (address: string, kind?: CodeMail['kind']): Code | null =>
			mails
				.filter((mail) => 'code' in mail)
				.findLast((mail) => mail.to === address && (kind === undefined || mail.kind === kind))
				?.code ?? null,
		/** The token of the newest link sent to an address. Null without one. */
		lastLinkTo: (address: string): ChangeLinkToken | null =>
			mails
				.filter((mail) => mail.kind === 'email_change_link')
				.findLast((mail) => mail.to === address)?.token ?? null,
		/** Sets the outcome of all later emails, except those to the sentinel addresses. */
		meet: (delivery: Delivery): void => void (usual = delivery)
	};
};

interface KeptNotice extends Pick<EmailChangeNoticeMail, 'at' | 'source' | 'stage'> {
	/** The address before the change, which gets the notice. */
	readonly from: Email;
	readonly to: Email;
}

/** Stores notices instead of sending them. */
export const memoryNotices = () => {
	const notices: KeptNotice[] = [];
	const undoTokens: UndoToken[] = [];
	const changeNotices: ChangeNotices = {
		stages: ['requested', 'completed'],
		send: async ({ to: from, newEmail: to, at, source, stage, undoToken }) => {
			if (undoToken !== null) undoTokens.push(undoToken);
			notices.push({ from, to, at, source, stage });
			return 'sent';
		}
	};
	return {
		changeNotices,
		notices: notices as readonly KeptNotice[],
		/** The tokens of the notices that can undo their change, the newest last. */
		undoTokens: undoTokens as readonly UndoToken[]
	};
};

/** Sends what is due one by one, as background work that a test can wait for. */
export const immediateWorker =
	(background: Pick<BackgroundWork, 'run'>) =>
	({ lease, deliver }: Pick<WorkerParts, 'lease' | 'deliver'>): OutboxWorker => {
		const sendDue = async (): Promise<void> => {
			for (const lane of ['unconditional', 'conditional'] as const) {
				for (let due = await lease(lane, 10); due.length > 0; due = await lease(lane, 10)) {
					for (const email of due) await deliver(email);
				}
			}
		};
		return {
			wake: () => background.run('outbox', sendDue),
			start: () => undefined,
			finish: () => Promise.resolve()
		};
	};
