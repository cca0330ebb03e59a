import type { UseCaseDeps } from '../deps.ts';
import { parseEmail, type Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ChallengeId } from '../ids.ts';
import { throttleSend, type AllowedSend } from '../limits/throttle-send.ts';
import { NO_UNDO, type EmailChangeMail } from '../mail.ts';
import type { OutboxRow } from '../outbox.ts';
import { newChallenge, newCode } from '../sign-in/challenge.ts';
import type { SessionChallenge } from '../sign-in/ports.ts';
import { secondsAfter } from '../time.ts';
import { noticeOf } from './change-email.ts';
import { changeLinkText, newChangeLink } from './change-link.ts';
import {
	makeMustReauthenticate,
	reauthenticate,
	sendReauthenticationCode,
	type ReauthenticateError,
	type SensitiveRequest
} from './reauthenticate.ts';

/** The change belongs to the session that requests it. */
export interface EmailChangeRequest extends Omit<SensitiveRequest, 'newEmail'> {
	readonly newEmail: string;
	/** From the current address. Only a session that is not fresh needs it. */
	readonly currentCode: string | null;
}

type RequestEmailChangeError = ErrorOf<'invalid_email' | 'same_email'> | ReauthenticateError;

type Requested<E = never> = Promise<Result<{ readonly email: Email }, RequestEmailChangeError | E>>;

/** The code or link that confirms a change, and the email that brings it to the new address. */
interface Confirmation {
	readonly challengeFrom: (now: Date) => SessionChallenge;
	readonly mail: EmailChangeMail;
	/** What the current address gets. */
	readonly notices: readonly OutboxRow[];
}

export const makeRequestEmailChange =
	(deps: UseCaseDeps) =>
	(request: EmailChangeRequest): Requested => {
		const { user, session, source } = request;
		return requestWith(deps, request, async (to, counted) => {
			const bound = { purpose: 'email_change', email: to, boundTo: user.id } as const;
			const about = { ...bound, from: user.email, requestedBy: session.id };
			const code = await newCode(deps, about, counted);
			const details = { ...code.mail, account: user.email, source };
			const mail = { kind: 'email_change_code', ...details } as const;
			return { challengeFrom: code.challengeFrom, mail, notices: [] };
		});
	};

export const makeRequestEmailChangeByLink =
	(deps: UseCaseDeps) =>
	async (
		request: EmailChangeRequest,
		/** Where to redirect the user after the link is confirmed. The web adapter checks it. */
		callbackUrl: string | null
	): Requested<ErrorOf<'links_off'>> => {
		if (!deps.changeLinks) return err({ code: 'links_off' });
		const { user, session, source } = request;
		return requestWith(deps, request, async (to, counted) => {
			const account = user.email;
			const token = newChangeLink(deps, { userId: user.id, to });
			const change = { token, userId: user.id, from: account, to };
			const lifetime = deps.policy.emailChange.linkLifetime;
			const at = counted.requestedAt;
			const details = { to, account, at, source, token, callbackUrl, lifetime };
			const about = { kind: 'email_change_notice', to: account, newEmail: to, source } as const;
			const notice = { ...about, ...NO_UNDO, stage: 'requested', at: deps.clock.now() } as const;
			const challenge = {
				id: deps.ids.next() as ChallengeId,
				purpose: 'email_change_link',
				email: to,
				boundTo: user.id,
				requestedBy: session.id,
				secretHash: deps.changeLinkSigner.sign(changeLinkText(change))
			} as const;
			return {
				challengeFrom: (now) => newChallenge(challenge, counted, secondsAfter(now, lifetime)),
				mail: { kind: 'email_change_link', ...details },
				notices: noticeOf(deps, notice, user.id)
			};
		});
	};

/**
 * Nothing changes until the code or link is confirmed. If the new address already has an account,
 * the response is the same and no email is sent.
 */
const requestWith = async (
	deps: UseCaseDeps,
	{ currentCode, ...given }: EmailChangeRequest,
	confirmationFor: (to: Email, counted: AllowedSend) => Promise<Confirmation>
): Requested => {
	const { user, network } = given;
	const parsed = parseEmail(given.newEmail, deps.domainNames);
	if (!parsed.ok) return parsed;
	const to = parsed.value;
	if (to === user.email) return err({ code: 'same_email' });
	const request = { ...given, newEmail: to };
	const needsCode = makeMustReauthenticate(deps)(request.session);
	if (needsCode && currentCode === null) return sendReauthenticationCode(deps, request);
	// Before the code is compared, so that a refused send costs none of its attempts.
	const send = { email: to, account: null, isKnown: true, isBound: true, network } as const;
	const allowed = await throttleSend(deps, send);
	if (!allowed.ok) return allowed;
	const checked = needsCode ? await reauthenticate(deps, request, currentCode ?? '') : ok(null);
	if (!checked.ok) {
		await deps.throttle.giveBack(allowed.value);
		return checked;
	}
	const { challengeFrom, mail, notices } = await confirmationFor(to, allowed.value);
	const now = deps.clock.now();
	// The pending change and the response are the same whether the address is free or taken.
	const plan = { now, fairnessKey: network, onlyIf: 'no_account' } as const;
	const mails = [deps.outbox.prepare(mail, plan), ...notices];
	await deps.emailChanges.request(
		challengeFrom(now),
		{ userId: user.id, from: user.email },
		now,
		mails
	);
	deps.codeCounts.count('code_sent', user.email);
	deps.outbox.wake();
	return ok({ email: to });
};
