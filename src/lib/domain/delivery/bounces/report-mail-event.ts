import type { Accounts } from '../../account/accounts.ts';
import type { Clock } from '../../clock.ts';
import type { DomainNames } from '../../domain-names.ts';
import { parseEmail, type Email } from '../../email.ts';
import type { ChallengeId, EmailId } from '../../ids.ts';
import { makeWithdrawByComplaint, type WithdrawDeps } from '../../consent/withdraw-consent.ts';
import type { Signer } from '../../signer.ts';
import type { Challenges } from '../../sign-in/challenges.ts';
import { readMessageName } from './message-name.ts';

/** What a mail provider reports about an email that it had accepted. */
export interface MailEvent {
	/**
	 * `bounced`: the mail server of the recipient refused it for good. `complained`: the recipient
	 * reported it as spam.
	 */
	readonly kind: 'bounced' | 'complained';
	readonly messageId: string;
	/** Its recipients, as we gave them to the provider. */
	readonly recipients: readonly string[];
	readonly at: Date;
}

/**
 * Acts on an event that its provider has authenticated. Repeating it changes nothing. Returns false
 * when we sent no such email.
 *
 * A bounce is noted with the code that the email carried, which still works. A complaint stops
 * nothing that a person needs to sign in.
 */
export type ReportMailEvent = (event: MailEvent) => Promise<boolean>;

export interface ReportMailEventDeps extends WithdrawDeps {
	readonly messageSigner: Signer;
	readonly challenges: Pick<Challenges, 'markBounced'>;
	readonly accounts: Pick<Accounts, 'find'>;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
}

/** We send every email to one recipient. A provider may list it with others of its own. */
const MOST_RECIPIENTS = 10;

export const makeReportMailEvent = (deps: ReportMailEventDeps): ReportMailEvent => {
	const { messageSigner, challenges, accounts, domainNames, clock } = deps;
	const withdraw = makeWithdrawByComplaint(deps);

	const find = ({ messageId, recipients }: MailEvent): Sent | null => {
		for (const recipient of recipients.slice(0, MOST_RECIPIENTS)) {
			const to = parseEmail(recipient, domainNames);
			if (!to.ok) continue;
			const id = readMessageName(messageSigner, messageId, to.value);
			if (id !== null) return { id, to: to.value };
		}
		return null;
	};

	const complain = async (to: Email, at: Date): Promise<void> => {
		const found = await accounts.find(to);
		if (found !== null) await withdraw(found.user.id, at);
	};

	return async (event) => {
		const sent = find(event);
		if (sent === null) return false;
		if (event.kind === 'complained') await complain(sent.to, event.at);
		// The email of a code that a request waited for has the id of its challenge.
		else await challenges.markBounced(sent.id as string as ChallengeId, clock.now());
		return true;
	};
};

interface Sent {
	readonly id: EmailId;
	readonly to: Email;
}
