import { createSecretKey, type KeyObject } from 'node:crypto';
import { oidcSecrets } from '#lib/adapters/crypto/oidc-secrets.ts';
import { aesSealer } from '#lib/adapters/crypto/aes-sealer.ts';
import { hmacSigner } from '#lib/adapters/crypto/hmac.ts';
import {
	countingIds,
	fixedClock,
	backgroundWork,
	plainCodeHasher,
	plainSecretHasher,
	restlessPacer,
	scriptedRandom
} from '../memory/drivers.ts';
import { immediateWorker, memoryMailer, memoryNotices } from '../memory/mailer.ts';
import { memoryStores } from '../memory/stores.ts';
import { networkWrongCodes } from '#lib/adapters/web/edge/limits/network-wrong-codes.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { makeDeliverMail, makeLeaseDue } from '#lib/domain/delivery/send-or-retry-mail.ts';
import type { UseCaseDeps } from '#lib/domain/deps.ts';
import { makeCodeCounts } from '#lib/domain/events/code-counts.ts';
import type { Result } from '#lib/domain/errors.ts';
import { makeBudgetLog } from '#lib/domain/limits/counts.ts';
import type { Mail } from '#lib/domain/mail.ts';
import { makeOutbox } from '#lib/domain/outbox.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { Sealer, Signer } from '#lib/domain/ports.ts';
import {
	newCodeKey,
	type CodeKey,
	type RestoreToken,
	type SessionToken
} from '#lib/domain/secret.ts';
import type { ChangeLinkToken } from '#lib/domain/signed-links.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import type { CodeHasher } from '#lib/domain/sign-in/ports.ts';
import type { RequestCodeInput } from '#lib/domain/sign-in/request-code.ts';
import type { VerifyCodeError, VerifyCodeInput } from '#lib/domain/sign-in/verify-code.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { makeUseCases, type UseCases } from '#lib/domain/use-cases.ts';
import type { User } from '#lib/domain/user.ts';
import { aRequestSource, aProfile, aNetwork, start } from './builders.ts';

/** Ports and settings that replace the usual ones. */
export interface FixtureChanges extends Partial<UseCaseDeps> {
	/** The worker of the outbox sends only when the test says so. */
	readonly stopped?: boolean;
	/** The first bytes that the random source returns. */
	readonly bytes?: Iterable<number>;
}

/** A user at a device: an account as it is now, and one of its sessions. */
export interface Somebody {
	readonly user: User;
	readonly session: Session;
}

/** The real signer under keys of plain text, the newest first. */
export const aSigner = (...keys: readonly string[]): Signer => {
	const [current = 'a key', ...earlier] = keys;
	const named = (key: string): KeyObject => createSecretKey(key, 'utf8');
	return hmacSigner([named(current), ...earlier.map(named)]);
};

/** The real sealer under a key of plain text. */
export const aSealer = (key = 'k'.repeat(32)): Sealer => aesSealer([createSecretKey(key, 'utf8')]);

const aKey = createSecretKey('k'.repeat(32), 'utf8');

/** The use-cases over fakes, with shorthands for common steps. */
export const aFixture = ({ stopped, bytes, ...changes }: FixtureChanges = {}) => {
	const clock = fixedClock(start);
	const mailer = memoryMailer();
	const background = backgroundWork();
	const random = scriptedRandom(bytes);
	const { notices, undoTokens, ...kept } = memoryNotices();
	const policy = changes.policy ?? defaultPolicy;
	const memory = memoryStores();
	const logged: object[] = [];
	const log = (event: string, counts: object = {}): void => void logged.push({ event, ...counts });
	const ids = countingIds();
	const mailSealer = changes.mailSealer ?? aSealer();
	const changeNotices = changes.changeNotices ?? kept.changeNotices;
	const sendsWith = changes.mailer ?? mailer;
	const delivery = { ...memory, ...changes, changeNotices, mailSealer, clock, policy };
	const codeCounts = makeCodeCounts({
		...memory,
		...changes,
		clock,
		// Only the test stores them.
		after: () => () => undefined,
		onFault: (fault) => void logged.push({ fault })
	});
	let tries = 0;
	const deliverMail = makeDeliverMail({
		...delivery,
		unconditional: sendsWith,
		conditional: { send: (mail) => sendsWith.send(mail), dryRun: async () => undefined },
		log
	});
	const worker = immediateWorker(background)({
		lease: makeLeaseDue(delivery),
		deliver: (lease) => {
			tries += 1;
			return deliverMail(lease);
		}
	});
	const wake = stopped ? (): void => undefined : worker.wake;
	const usual = {
		...memory,
		budgetLog: makeBudgetLog(log),
		networkWrongCodes: networkWrongCodes({ monotonic: clock.monotonic, policy, log }),
		proofOfWork: false,
		clock,
		mailer,
		outbox: makeOutbox({ mailSealer, ids, policy, wake }),
		mailSealer,
		oidcSecrets: oidcSecrets([aKey], [aKey]),
		changeNotices,
		pacer: restlessPacer,
		random,
		ids,
		codeHasher: plainCodeHasher(),
		secretHasher: plainSecretHasher(),
		changeLinkSigner: aSigner(),
		unsubscribeSigner: aSigner('an unsubscribe key'),
		newDeviceSigner: aSigner('a new device key'),
		undoSigner: aSigner('an undo key'),
		messageSigner: aSigner('a message key'),
		domainNames: nodeDomainNames(),
		policy,
		changeLinks: true,
		reauthentication: false,
		newDeviceNotices: true,
		signUp: 'open',
		eventsDays: 90,
		codeCounts,
		...changes
	} satisfies UseCaseDeps;
	let lucky = '';
	const codeHasher: CodeHasher = {
		...usual.codeHasher,
		hash: (bound) => {
			lucky = bound.code;
			return usual.codeHasher.hash(bound);
		}
	};
	const deps: Stores & UseCaseDeps = { ...usual, codeHasher };
	const stores = Object.fromEntries(
		Object.keys(memory).map((name) => [name, deps[name as keyof Stores]])
	) as unknown as Stores;
	const useCases = makeUseCases(deps);

	const source = aRequestSource();
	const network = aNetwork();

	const request = (
		email: string,
		codeKey: CodeKey | null = null,
		purpose: RequestCodeInput['purpose'] = 'sign_in'
	) => useCases.requestCode({ email, purpose, codeKey, source, network });

	/** The email of `kind` that the mailbox got during `asking`; fails if there was none. */
	const mailed = async <Kind extends Mail['kind']>(
		kinds: readonly Kind[],
		work: () => Promise<unknown>
	): Promise<Extract<Mail, { kind: Kind }>> => {
		const before = mailer.mails.length;
		const result = await work();
		await background.flush();
		const isMeant = (mail: Mail): mail is Extract<Mail, { kind: Kind }> =>
			kinds.some((kind) => kind === mail.kind);
		const mail = mailer.mails.slice(before).find(isMeant);
		if (mail === undefined)
			throw new Error(`no ${kinds.join()} was sent: ${JSON.stringify(result)}`);
		return mail;
	};

	/** Requests a code and reads it from the mailbox; fails if none was sent. */
	const sendTo = async (...input: Parameters<typeof request>) => {
		const kinds = ['sign_in_code', 'email_verification_code'] as const;
		return (await mailed(kinds, () => request(...input))).code;
	};

	const enterCode = (email: string, code: string, rest: Partial<VerifyCodeInput> = {}) =>
		useCases.verifyCode({
			email,
			code,
			codeKey: null,
			network,
			profile: aProfile(),
			source,
			currentToken: null,
			ifDeleted: 'refuse',
			...rest
		});

	/** Checks a sign-in code without using it. */
	const check = (
		email: string,
		code: string,
		rest: Partial<Parameters<UseCases['checkCode']>[0]> = {}
	) => useCases.checkCode({ email, code, purpose: 'sign_in', codeKey: null, network, ...rest });

	/** Proves an email address again. */
	const prove = (email: string, code: string, codeKey: CodeKey | null = null) =>
		useCases.verifyEmail({ email, code, codeKey, network });

	/** Signs in a new user; fails if that fails. */
	const signIn = async (email: string, currentToken: SessionToken | null = null) =>
		valueOf(await enterCode(email, await sendTo(email), { currentToken }));

	/** Waits until the emails and notices of a result are sent. */
	const flushed = async <T>(result: Promise<T>): Promise<T> => {
		const value = await result;
		await background.flush();
		return value;
	};

	const askToMove = (
		{ user, session }: Somebody,
		newEmail: string,
		way: 'code' | 'link' = 'code',
		currentCode: string | null = null
	) => {
		const request = { user, session, newEmail, currentCode, source, network };
		return flushed(
			way === 'code'
				? useCases.requestEmailChange(request)
				: useCases.requestEmailChangeByLink(request, null)
		);
	};

	const moveByCode = ({ user, session }: Somebody, newEmail: string, code: string) =>
		flushed(
			useCases.changeEmailByCode({ user, session: session.id, source, network, newEmail, code })
		);

	const moveByLink = ({ user, session }: Somebody, token: ChangeLinkToken) =>
		flushed(useCases.changeEmailByLink({ user, session: session.id, source, token }));

	/**
	 * The code or link that an account requested, from the mailbox of the new address; fails if none
	 * arrived.
	 */
	const codeToMove = async (somebody: Somebody, newEmail: string): Promise<string> =>
		(await mailed(['email_change_code'], () => askToMove(somebody, newEmail, 'code'))).code;
	const linkToMove = async (somebody: Somebody, newEmail: string): Promise<ChangeLinkToken> =>
		(await mailed(['email_change_link'], () => askToMove(somebody, newEmail, 'link'))).token;

	/** The code for a change by a session that is not fresh, from the current address. */
	const reauthenticationCode = async (
		somebody: Somebody,
		newEmail: string,
		way: 'code' | 'link' = 'code'
	): Promise<string> =>
		(await mailed(['reauthentication_code'], () => askToMove(somebody, newEmail, way))).code;

	/** Moves an account by code; fails when that fails. */
	const move = async <S extends Somebody>(somebody: S, newEmail: string): Promise<S> => {
		const moved = await moveByCode(somebody, newEmail, await codeToMove(somebody, newEmail));
		return { ...somebody, user: valueOf(moved).user };
	};

	return {
		...deps,
		...useCases,
		/** For another fixture over the same storage. */
		stores,
		clock,
		mailer,
		background,
		/** What was logged. */
		logged,
		/** The notices of changes that were sent. */
		notices,
		/** The tokens of those that can undo their change, the newest last. */
		undoTokens,
		deliverMail,
		/** Stores the code counts, as the process does each second. */
		storeCounts: codeCounts.flush,
		/** How many attempts to send an email of the outbox the worker made. */
		tries: (): number => tries,
		/** Sends the emails that are due now. */
		sendDue: async (): Promise<void> => {
			worker.wake();
			await background.flush();
		},
		/** A new code key. */
		aCodeKey: (): CodeKey => newCodeKey(random),
		/** The last generated code, emailed or not: what a very lucky guesser would enter. */
		luckyGuess: (): string => lucky,
		request,
		sendTo,
		enterCode,
		check,
		prove,
		signIn,
		askToMove,
		codeToMove,
		linkToMove,
		reauthenticationCode,
		moveByCode,
		moveByLink,
		move,
		remove: ({ user }: Pick<Somebody, 'user'>) => useCases.deleteAccount({ user, source }),
		/** The account of a token; null when its session has ended. */
		whoIs: async (token: SessionToken): Promise<User | null> =>
			(await useCases.readSession({ token, mayRefresh: false }))?.user ?? null
	};
};

export type Fixture = ReturnType<typeof aFixture>;

/** A fixture, and somebody who has signed in there. */
export const aSignedIn = async (email: string, changes: FixtureChanges = {}) => {
	const fixture = aFixture(changes);
	const signedIn = await fixture.signIn(email);
	return { fixture, signedIn, ...signedIn };
};

/** A code of the same shape that is always wrong. */
export const wrong = (code: string): string =>
	[...code].map((digit) => (Number(digit) + 1) % 10).join('');

/** The error of a result, or null for a value. */
export const errorOf = <E>(
	result: { readonly ok: true } | { readonly ok: false; readonly error: E }
): E | null => (result.ok ? null : result.error);

/** The value of a result; fails for an error. */
export const valueOf = <T>(
	result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }
): T => {
	if (!result.ok) throw new Error(`went wrong: ${JSON.stringify(result.error)}`);
	return result.value;
};

/** The restore grant for a right code; fails if there is none. */
export const restoreTokenIn = (result: Result<unknown, VerifyCodeError>): RestoreToken => {
	const error = errorOf(result);
	const restoreToken = error?.code === 'account_deleted' ? error.restoreToken : null;
	if (restoreToken === null) throw new Error(`no restore grant: ${JSON.stringify(result)}`);
	return restoreToken;
};
