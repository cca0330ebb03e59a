import { makeWithdrawConsent } from '../consent/use-cases.ts';
import type { UseCaseDeps } from '../deps.ts';
import { parseEmail, type Email } from '../email.ts';
import { parseMailId, type ChallengeId, type MailId } from '../ids.ts';
import { openMail } from '../outbox.ts';
import type { FailedMail, MailEvent } from './ports.ts';
import type { Signer } from '../ports.ts';

/**
 * The part before the `@` in the Message-ID of an email. Its signature proves later that we sent
 * this email to this recipient, so nothing has to be stored for it.
 */
export const messageName = (signer: Signer, id: MailId, to: Email): string =>
	`${id}.${signer.sign(`email ${id} to ${to}`)}`;

/** With or without brackets and domain. Null if we sent no such email to this recipient. */
export const readMessageName = (signer: Signer, messageId: string, to: Email): MailId | null => {
	const [, id = '', signature = ''] =
		/^<?([0-9a-f-]{36})\.([\w-]{43})(?:@[^\s<>]+)?>?$/.exec(messageId.trim()) ?? [];
	return signer.verify(signature, `email ${id} to ${to}`) ? parseMailId(id) : null;
};

const COMPLAINT = { source: 'complaint', place: null, wording: null } as const;

/** We send every email to one recipient. A provider may list it with others of its own. */
const MOST_RECIPIENTS = 10;

/**
 * Acts on an event that its provider has authenticated. Repeating it changes nothing. Returns false
 * when we sent no such email.
 *
 * A bounce is noted with the code that the email carried, which still works. A complaint stops
 * nothing that a person needs to sign in.
 */
const makeReportMailEvent =
	(deps: UseCaseDeps) =>
	async ({ kind, messageId, recipients, at }: MailEvent): Promise<boolean> => {
		for (const recipient of recipients.slice(0, MOST_RECIPIENTS)) {
			const to = parseEmail(recipient, deps.domainNames);
			const id = to.ok ? readMessageName(deps.messageSigner, messageId, to.value) : null;
			if (!to.ok || id === null) continue;
			if (kind === 'complained') {
				const found = await deps.accounts.find(to.value);
				// A later consent stays, so a report that arrives again later changes nothing.
				if (found !== null) await makeWithdrawConsent(deps)(found.id, COMPLAINT, at);
			} else {
				// The email of a code that a request waited for has the id of its challenge.
				await deps.challenges.markBounced(id as string as ChallengeId, deps.clock.now());
			}
			return true;
		}
		return false;
	};

interface ListedMail extends FailedMail {
	/** Null once the content was wiped, or when its secret is no longer configured. */
	readonly to: Email | null;
}

const makeListFailedMails =
	({ outboxRows, mailSealer }: UseCaseDeps) =>
	async (): Promise<readonly ListedMail[]> => {
		const failed = await outboxRows.failed();
		return failed.map((mail) => {
			const opened = openMail(mailSealer, mail);
			return { ...mail, to: opened && opened.mail.to };
		});
	};

const makeRetryMails =
	({ outboxRows, clock }: UseCaseDeps) =>
	(ids: readonly MailId[] | null): Promise<number> =>
		outboxRows.retryFailed(ids, clock.now());

export const delivery = {
	listFailedMails: makeListFailedMails,
	retryMails: makeRetryMails,
	reportMailEvent: makeReportMailEvent
};
