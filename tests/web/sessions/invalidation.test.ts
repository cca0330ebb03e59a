import { afterEach, describe, expect, test } from 'vitest';
import { memoryMailer } from '../../support/memory/mailer.ts';
import { memoryStorage, memoryStores } from '../../support/memory/stores.ts';
import type { SeenSession } from '#lib/adapters/web/edge/session/freshness.ts';
import { compose, type App } from '#lib/app.server.ts';
import { configOf } from '../../support/web/config.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import { aClientInfo, aName, aProfile, aNetwork } from '../../support/domain/builders.ts';

const ada = 'ada@example.com';
/** The most sessions of an account. */
const MOST = 2;
let app: App;
afterEach(() => app.close());

/** The real application over stores in memory. */
const open = async () => {
	const mailer = memoryMailer();
	const session = { ...defaultPolicy.session, perAccount: MOST };
	app = await compose(configOf(), {
		storage: memoryStorage(memoryStores()),
		mailer,
		policy: { ...defaultPolicy, session }
	});
	const client = aClientInfo();
	const network = aNetwork();

	const signIn = async (currentToken: SessionToken | null = null): Promise<VerifiedCode> => {
		await app.requestCode({ email: ada, purpose: 'sign_in', browser: null, client, network });
		const verified = await app.verifyCode({
			email: ada,
			code: mailer.lastCodeTo(ada) ?? '',
			browser: null,
			network,
			profile: aProfile(),
			client,
			currentToken,
			ifDeleted: 'refuse'
		});
		if (!verified.ok) throw new Error(JSON.stringify(verified));
		return verified.value;
	};

	/** Signs in, and caches the session as a request does. */
	const cached = async (): Promise<VerifiedCode & { readonly seen: SeenSession }> => {
		const signedIn = await signIn();
		const { token, user, session } = signedIn;
		const seen = { user, session, readAt: app.clock.now(), tick: app.monotonic() };
		app.processCache.set(token, seen);
		expect([app.processCache.get(token, app.clock.now()), app.freshness.isFresh(seen)]).toEqual([
			seen,
			true
		]);
		return { ...signedIn, seen };
	};
	const move = async ({ user, session }: VerifiedCode): Promise<void> => {
		const newEmail = 'new@example.com';
		const change = {
			user,
			session,
			newEmail,
			callbackUrl: null,
			currentCode: null,
			client,
			network
		};
		await app.requestEmailChange({ ...change, way: 'code' });
		await expect.poll(() => mailer.lastCodeTo(newEmail)).not.toBeNull();
		const code = mailer.lastCodeTo(newEmail) ?? '';
		const confirmed = { user, session: session.id, client, network };
		const moved = await app.changeEmail({ ...confirmed, newEmail, code });
		expect(moved.ok).toBe(true);
	};
	return { signIn, cached, move, client };
};

type Opened = Awaited<ReturnType<typeof open>>;

describe('this process uses no cached entry', () => {
	test.each<[string, (opened: Opened, one: VerifiedCode) => Promise<unknown>]>([
		['signed out', (_, { token }) => app.endSession(token)],
		[
			'ended on another device',
			(_, { user, session }) => app.manageSessions.end(user.id, session.id)
		],
		['ended with all others', (_, { user }) => app.manageSessions.endAll(user.id, null)],
		['replaced by a new sign-in', ({ signIn }, { token }) => signIn(token)],
		[
			'unused longest when a further one opened',
			async ({ signIn }) => {
				for (let opened = 0; opened < MOST; opened += 1) await signIn();
			}
		],
		['deleted with its account', ({ client }, { user }) => app.deleteAccount({ user, client })],
		['ended by an email change', async ({ cached, move }) => move(await cached())]
	])('E06: after a session was %s', async (_, end) => {
		const opened = await open();
		const { seen, ...one } = await opened.cached();
		await end(opened, one);
		expect(app.processCache.get(one.token, app.clock.now())).toBeNull();
		expect(app.freshness.isFresh(seen)).toBe(false);
		expect(await app.readSession({ token: one.token, mayRefresh: false })).toBeNull();
	});

	test.each<[string, (opened: Opened, one: VerifiedCode) => Promise<unknown>]>([
		['its profile', (_, { user }) => app.updateProfile(user.id, { name: aName('Ada') })],
		['its email address', ({ move }, one) => move(one)]
	])('after an account changed %s', async (_, change) => {
		const opened = await open();
		const { seen, ...one } = await opened.cached();
		await change(opened, one);
		expect(app.freshness.isFresh(seen)).toBe(false);
		expect(await app.readSession({ token: one.token, mayRefresh: false })).not.toBeNull();
	});
});
