import { describe, expect, it } from 'vitest';
import { openOidc } from '#lib/adapters/web/oidc/open-oidc.ts';
import type { OidcStore, SigningKeys } from '#lib/domain/oidc/ports.ts';
import { OIDC } from '#lib/domain/oidc/use-cases.ts';
import { anOidcClient, aSession, aUser } from '../../support/domain/builders.ts';
import { aFixture } from '../../support/domain/fixture.ts';

const ORIGIN = 'https://auth.example.org';
const REDIRECT = 'https://app.example.org/callback';

// The library has a clock of its own, so all times are in the last minutes before now.
const start = Date.now();
const at = (seconds: number): Date => new Date(start + seconds * 1000);

describe('an application that asks for a new sign-in', () => {
	const { oidcSecrets, ids } = aFixture();
	const [user, session] = [aUser(), aSession()];
	let seconds = 0;
	const keys: SigningKeys[] = [];
	const client = anOidcClient({ redirectUris: REDIRECT });
	const oidcStore: Partial<OidcStore> = {
		clients: async () => [client],
		keys: async () => keys,
		addKeys: async (added) => void keys.push(added),
		openGrant: async ({ id }) => id,
		findGrant: async () => ({ user, clientId: client.id, sessionId: session.id }),
		addRecord: async () => true
	};
	const instance = openOidc({
		oidcStore: oidcStore as OidcStore,
		oidcSecrets,
		ids,
		clock: { now: () => at(seconds) },
		origin: ORIGIN,
		secure: true,
		signInLayout: 'split',
		mayCallPrivateAddresses: false,
		after: () => () => undefined,
		log: { event: () => undefined, fault: () => undefined }
	});

	/** Opens a URL at a time, in a browser whose session began at `since`. The result is the redirect. */
	const open = async (target: string, now: number, since: number | null): Promise<URL> => {
		seconds = now;
		const signedIn =
			since === null ? null : { user, session: { ...session, createdAt: at(since) } };
		const browser = { signedIn, end: async () => undefined };
		const { response } = await instance.handle(new Request(ORIGIN + target), browser);
		return new URL(response.headers.get('location') ?? '', ORIGIN);
	};
	/** The target of the sign-in page. Null if the person passes. */
	const targetIn = (page: URL): string => {
		expect(page.pathname).toBe('/auth/sign-in');
		return page.searchParams.get('redirectTo') ?? '';
	};
	const gotCode = (end: URL): boolean => end.href.startsWith(`${REDIRECT}?code=`);
	const requestWith = (parameters: Readonly<Record<string, string>>): string => {
		const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
		const usual = { client_id: client.id, redirect_uri: REDIRECT, response_type: 'code' };
		return `/oidc/auth?${new URLSearchParams({ scope: 'openid', ...usual, ...pkce, ...parameters })}`;
	};

	it.each([{ prompt: 'login' }, { max_age: '0' }, { max_age: '60' }])(
		'%o is met by a session that began after the request, for a few minutes',
		async (parameters) => {
			const asked = -OIDC.newSignIn - 100;
			const target = targetIn(await open(requestWith(parameters), asked, asked - 900));
			expect(targetIn(await open(target, asked + 20, asked - 900))).not.toBe(target);
			expect(gotCode(await open(target, asked + 20, asked + 10))).toBe(true);
			expect(targetIn(await open(target, -10, asked + 10))).not.toBe(target);
		}
	);

	it('max_age lets a session pass that is young enough', async () => {
		expect(gotCode(await open(requestWith({ max_age: '60' }), 0, -50))).toBe(true);
		expect(gotCode(await open(requestWith({ max_age: '60' }), 0, -90))).toBe(false);
	});

	it('without a session, any sign-in is enough', async () => {
		const target = targetIn(await open(requestWith({}), 0, null));
		expect(gotCode(await open(target, 20, -900))).toBe(true);
	});

	it('a request that is too long to come back is refused', async () => {
		const end = await open(requestWith({ state: 'x'.repeat(2048) }), 0, null);
		expect(end.searchParams.get('error')).toBe('invalid_request');
	});
});
