import { countingIds } from '#lib/adapters/memory/counting-ids.ts';
import { fixedClock } from '#lib/adapters/memory/fixed-clock.ts';
import { immediateBackground } from '#lib/adapters/memory/immediate-background.ts';
import { memoryMailer } from '#lib/adapters/memory/memory-mailer.ts';
import { plainCodeHasher, plainSecretHasher } from '#lib/adapters/memory/plain-hashers.ts';
import { scriptedRandom } from '#lib/adapters/memory/scripted-random.ts';
import { memoryStores, type Stores } from '#lib/adapters/memory/stores.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import {
	codeShape,
	defaultPolicy,
	makeEndSession,
	makePruneThrottle,
	makeReadPendingCode,
	makeReadSession,
	makeRequestCode,
	makeUserCreated,
	makeVerifyCode,
	newBrowserKey,
	type AuthPolicy,
	type BrowserKey,
	type CodeShape,
	type RequestCodeDeps,
	type SessionToken,
	type VerifiedCode,
	type VerifyCode,
	type VerifyCodeInput
} from '#lib/domain/index.ts';
import { aDevice, aProfile, start } from './builders.ts';

export interface WorldChanges {
	readonly policy?: AuthPolicy;
	readonly codeShape?: CodeShape;
	/** Bytes that chance gives first. */
	readonly bytes?: Iterable<number>;
	/** Ports to put in place of the usual fakes. */
	readonly deps?: Partial<RequestCodeDeps & Stores>;
}

/** The use-cases over fakes, with shorthands for what most tests do. */
export const aWorld = (changes: WorldChanges = {}) => {
	const clock = fixedClock(start);
	const mailer = memoryMailer();
	const background = immediateBackground();
	const random = scriptedRandom(changes.bytes);
	const stores = memoryStores();
	const deps = {
		...stores,
		clock,
		mailer,
		background,
		random,
		ids: countingIds(),
		codeHasher: plainCodeHasher(),
		secretHasher: plainSecretHasher(),
		domainNames: nodeDomainNames(),
		policy: changes.policy ?? defaultPolicy,
		codeShape: changes.codeShape ?? codeShape,
		...changes.deps
	};
	const userCreated = makeUserCreated(deps);
	const requestCode = makeRequestCode(deps);
	const verifyCode = makeVerifyCode({ ...deps, userCreated });

	/** Asks for a code and reads it from the mailbox; fails when none was sent. */
	const sendTo = async (email: string, browser: BrowserKey | null = null): Promise<string> => {
		const requested = await requestCode({ email, browser });
		const code = requested.ok ? mailer.lastCodeTo(requested.value.email) : null;
		if (code === null) throw new Error(`no code was sent: ${JSON.stringify(requested)}`);
		return code;
	};

	const guess = (
		email: string,
		code: string,
		rest: Partial<VerifyCodeInput> = {}
	): ReturnType<VerifyCode> =>
		verifyCode({
			email,
			code,
			browser: null,
			profile: aProfile(),
			device: aDevice(),
			currentToken: null,
			...rest
		});

	/** Signs in from nothing; fails when that fails. */
	const signIn = async (
		email: string,
		currentToken: SessionToken | null = null
	): Promise<VerifiedCode> => {
		const verified = await guess(email, await sendTo(email), { currentToken });
		if (!verified.ok) throw new Error(`no sign-in: ${JSON.stringify(verified)}`);
		return verified.value;
	};

	return {
		...deps,
		clock,
		mailer,
		background,
		userCreated,
		requestCode,
		verifyCode,
		readPendingCode: makeReadPendingCode(deps),
		readSession: makeReadSession(deps),
		endSession: makeEndSession(deps),
		pruneThrottle: makePruneThrottle(deps),
		/** A key for a browser that no other one has. */
		aBrowser: (): BrowserKey => newBrowserKey(random),
		sendTo,
		guess,
		signIn
	};
};

export type World = ReturnType<typeof aWorld>;

/** A code of the same shape that is certainly wrong. */
export const wrong = (code: string): string =>
	[...code].map((digit) => (Number(digit) + 1) % 10).join('');

/** What went wrong, or null when nothing did. */
export const errorOf = <E>(
	result: { readonly ok: true } | { readonly ok: false; readonly error: E }
): E | null => (result.ok ? null : result.error);
