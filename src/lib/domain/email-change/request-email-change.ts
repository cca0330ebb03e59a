import type { Deps } from '../deps.ts';
import { parseEmail, type Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ChallengeId } from '../ids.ts';
import { throttleSend } from '../limits/throttle-send.ts';
import type { EmailChangeMail } from '../mail.ts';
import { newChallenge } from '../sign-in/challenge.ts';
import { generateCode } from '../sign-in/code.ts';
import { secondsAfter } from '../time.ts';
import { changeLinkText, newChangeLink } from './change-link.ts';
import { noticeOf, type NoticeDeps } from './complete-email-change.ts';
import {
	mustReauthenticate,
	reauthenticate,
	sendReauthenticationCode,
	type ReauthenticateDeps,
	type ReauthenticateError,
	type SensitiveRequest
} from './reauthenticate.ts';

/** The change belongs to the session that requests it. */
export interface RequestEmailChangeInput extends Omit<SensitiveRequest, 'newEmail'> {
	readonly newEmail: string;
	readonly way: 'code' | 'link';
	/** Where to redirect the user after a link is confirmed. The web adapter checks it. */
	readonly callbackUrl: string | null;
	/** From the current email address. Only a session that is not fresh needs it. */
	readonly currentCode: string | null;
}

export type RequestEmailChangeError =
	ErrorOf<'invalid_email' | 'same_email' | 'links_off'> | ReauthenticateError;

type RequestEmailChangeDeps = ReauthenticateDeps &
	NoticeDeps &
	Deps<'domainNames' | 'changeLinkSigner' | 'changeLinks'>;

/**
 * Nothing changes until the code or link is confirmed. If the new email address already has an
 * account, the response is the same and no email is sent.
 */
export const makeRequestEmailChange =
	(deps: RequestEmailChangeDeps) =>
	async (
		input: RequestEmailChangeInput
	): Promise<Result<{ readonly email: Email }, RequestEmailChangeError>> => {
		const { user, session, way, source, network } = input;
		if (way === 'link' && !deps.changeLinks) return err({ code: 'links_off' });
		const parsed = parseEmail(input.newEmail, deps.domainNames);
		if (!parsed.ok) return parsed;
		const to = parsed.value;
		if (to === user.email) return err({ code: 'same_email' });
		const request = { user, session, newEmail: to, source, network };
		const needsCode = mustReauthenticate(deps, request);
		if (needsCode && input.currentCode === null) return sendReauthenticationCode(deps, request);
		// Before the code is compared, so that a refused send costs none of its attempts.
		const send = {
			email: to,
			account: null,
			isKnownClient: true,
			isBound: true,
			network
		} as const;
		const allowed = await throttleSend(deps, send);
		if (!allowed.ok) return allowed;
		const { requestedAt } = allowed.value;
		const checked = needsCode
			? await reauthenticate(deps, request, input.currentCode ?? '')
			: ok(null);
		if (!checked.ok) {
			await deps.throttle.giveBack(allowed.value);
			return checked;
		}
		const { secretHash, mail, lifetime } = await newSecretFor(deps, input, to, requestedAt);
		const now = deps.clock.now();
		const challenge = newChallenge(
			{
				id: deps.ids.next() as ChallengeId,
				purpose: way === 'link' ? 'email_change_link' : 'email_change',
				email: to,
				boundTo: user.id,
				requestedBy: session.id,
				secretHash
			},
			allowed.value,
			secondsAfter(now, lifetime)
		);
		// The pending change and the response are the same whether the email address is free or taken.
		const plan = { now, fairnessKey: network, onlyIf: 'no_account' } as const;
		const mails = [deps.outbox.prepare(mail, plan)];
		if (way === 'link') {
			const about = { kind: 'email_change_notice', to: user.email, newEmail: to } as const;
			const noUndo = { undoToken: null, undoUntil: null } as const;
			const notice = { ...about, ...noUndo, stage: 'requested', at: now, source } as const;
			mails.push(...noticeOf(deps, notice, user.id));
		}
		await deps.emailChanges.request(challenge, { userId: user.id, from: user.email }, now, mails);
		deps.codeCounts.count('code_sent', user.email);
		deps.outbox.wake();
		return ok({ email: to });
	};

interface NewSecret {
	readonly secretHash: string;
	readonly mail: EmailChangeMail;
	readonly lifetime: number;
}

const newSecretFor = async (
	deps: RequestEmailChangeDeps,
	{ user, way, callbackUrl, source }: RequestEmailChangeInput,
	to: Email,
	at: Date
): Promise<NewSecret> => {
	const { policy } = deps;
	const account = user.email;
	const details = { to, account, at, source };
	if (way === 'link') {
		const token = newChangeLink(deps, { userId: user.id, to });
		const change = { token, userId: user.id, from: account, to };
		const lifetime = policy.emailChange.linkLifetime;
		return {
			secretHash: deps.changeLinkSigner.sign(changeLinkText(change)),
			mail: { kind: 'email_change_link', ...details, token, callbackUrl, lifetime },
			lifetime
		};
	}
	const code = generateCode(deps.random, deps.codeShape);
	const { lifetime } = policy.code;
	return {
		secretHash: await deps.codeHasher.hash({
			purpose: 'email_change',
			email: to,
			boundTo: user.id,
			from: account,
			code
		}),
		mail: { kind: 'email_change_code', ...details, code, lifetime },
		lifetime
	};
};
