import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oidcSecrets } from '#lib/adapters/crypto/oidc-secrets.ts';
import { openOidc, type OidcService } from '#lib/adapters/web/oidc/open-oidc.ts';
import type { OidcSecrets } from '#lib/domain/oidc/ports.ts';
import { OIDC, oidc } from '#lib/domain/oidc/use-cases.ts';
import { sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { systemRandom } from '#lib/adapters/system/system.ts';
import { at, newIds } from '../stores/examples.ts';

const ORIGIN = 'https://auth.example.org';
const nobody = { signedIn: null, end: async () => undefined };

/** The secrets under keys of plain text, the newest first. */
const secretsUnder = (...texts: readonly string[]): OidcSecrets => {
	const [current, ...earlier] = texts.map((text) => createSecretKey(text.repeat(32), 'utf8'));
	if (current === undefined) throw new Error('no key');
	return oidcSecrets([current, ...earlier], [current, ...earlier]);
};

describe('keys and secrets of the provider', () => {
	let backing: SqlBacking;
	let seconds = 0;
	beforeAll(async () => {
		backing = await sqliteBacking();
	});
	afterAll(() => backing.close());
	beforeEach(() => backing.clear());

	const clock = { now: () => at(seconds) };
	const depsOf = (secrets: OidcSecrets) => ({
		oidcStore: backing.stores.oidcStore,
		oidcSecrets: secrets,
		clock,
		ids: newIds,
		random: systemRandom()
	});
	/** An instance of the server. */
	const open = (secrets: OidcSecrets): OidcService =>
		openOidc({
			...depsOf(secrets),
			origin: ORIGIN,
			secure: true,
			signInLayout: 'split',
			mayCallPrivateAddresses: false,
			after: () => () => undefined,
			log: { event: () => undefined, fault: () => undefined }
		});
	const idsAt = async (instance: OidcService): Promise<readonly string[]> => {
		const { response } = await instance.handle(new Request(`${ORIGIN}/oidc/jwks`), nobody);
		const { keys } = (await response.json()) as { keys: { kid: string }[] };
		return keys.map(({ kid }) => kid);
	};

	it('are made once by instances that start together, and kept', async () => {
		const secrets = secretsUnder('a');
		const instances = [open(secrets), open(secrets)];
		const [one = [], two] = await Promise.all(instances.map(idsAt));
		expect(one).toHaveLength(2);
		expect(two).toEqual(one);
		expect(await idsAt(open(secrets))).toEqual(one);
	});

	it('a new key is published by all instances before it signs, and the earlier one stays while its tokens are valid', async () => {
		const secrets = secretsUnder('a');
		const instance = open(secrets);
		const first = await idsAt(instance);
		await oidc.rotateOidcKeys(depsOf(secrets))();
		seconds += OIDC.reread;
		const both = await idsAt(instance);
		// The first of an algorithm signs.
		expect([both.length, both.slice(0, 2)]).toEqual([4, first]);
		seconds += OIDC.keyDelay;
		const signing = (await idsAt(instance)).slice(0, 2);
		expect(first).not.toEqual(expect.arrayContaining([signing[0]]));
		seconds += OIDC.idToken - OIDC.reread;
		expect(await idsAt(instance)).toHaveLength(4);
		seconds += 4 * OIDC.reread;
		expect(await idsAt(instance)).toEqual(signing);
	});

	it('are made again when no key of theirs is configured any more', async () => {
		const first = await idsAt(open(secretsUnder('a')));
		expect(await idsAt(open(secretsUnder('b', 'a')))).toEqual(first);
		const second = await idsAt(open(secretsUnder('b')));
		expect(second).toHaveLength(2);
		expect(second).not.toEqual(first);
	});

	it('a client secret that was used during a replacement of AUTH_SECRET works after it', async () => {
		const add = (name: string) =>
			oidc.addOidcClient(depsOf(secretsUnder('a')))({
				name,
				isPublic: false,
				isNative: false,
				algorithm: 'RS256',
				logoutUri: null,
				redirectUris: 'https://app.example.org/',
				afterLogoutUris: ''
			});
		const [used, unused] = [await add('used'), await add('unused')];
		const isTrusted = async (secrets: OidcSecrets, { id, secret }: typeof used) => {
			const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
			const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' });
			const call = { method: 'POST', headers: { authorization }, body };
			const request = new Request(`${ORIGIN}/oidc/token`, call);
			const { isAuthenticated, response } = await open(secrets).handle(request, nobody);
			expect(response.status).toBe(isAuthenticated ? 400 : 401);
			return isAuthenticated;
		};
		expect(await isTrusted(secretsUnder('b', 'a'), used)).toBe(true);
		expect(await isTrusted(secretsUnder('b'), used)).toBe(true);
		expect(await isTrusted(secretsUnder('b'), unused)).toBe(false);
		expect(await isTrusted(secretsUnder('b'), { ...used, secret: unused.secret })).toBe(false);
		expect(
			JSON.stringify(
				await backing.databases[0]?.db.select().from(backing.databases[0].tables.oidcClient)
			)
		).not.toContain(used.secret);
	});
});
