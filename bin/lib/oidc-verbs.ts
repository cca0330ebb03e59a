import type { OidcClient } from '#lib/domain/oidc/ports.ts';
import { OperatorError } from '#lib/operator-messages.ts';
import type { Options, Verb } from './admin-verbs.ts';
import { calling, printable } from './printable.ts';

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** RFC 8252 asks for a reversed domain name, which only its owner uses. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/**
 * Why an application cannot have this URI, for the operator. URIs are compared character by character
 * later, so each must be as a browser writes it.
 */
export const clientUriProblem = (
	uri: string,
	{ isPublic, isNative }: { readonly isPublic: boolean; readonly isNative: boolean }
): string | null => {
	if (!URL.canParse(uri) || /[\s*#\\]/.test(uri)) {
		return 'is not a plain URL: wildcards, fragments and spaces are not allowed';
	}
	const { href, protocol, hostname, username, password } = new URL(uri);
	if (href !== uri && href !== `${uri}/`) return `is not exact: write ${href}`;
	if (username !== '' || password !== '') return 'contains a user name';
	const isLoopback = LOOPBACK.includes(hostname);
	if (protocol === 'https:') {
		return isNative && isLoopback ? 'is https, and a program on a device listens by http' : null;
	}
	if (protocol === 'http:') {
		return isLoopback ? null : 'is plain http, which is allowed for this machine only';
	}
	if (!PRIVATE_SCHEME.test(protocol)) {
		return 'has a scheme without a dot: use the reversed name of a domain of yours';
	}
	return isPublic ? null : 'leads to a program that cannot keep a secret: add --public';
};

/** The client as its options describe it. Throws an error with one line for the operator. */
const readClient = ([name = '', ...more]: readonly string[], options: Options) => {
	const { redirect = [], 'after-logout': after = [], logout = null } = options;
	const { algorithm = 'RS256', public: isPublic = false } = options;
	const isWeb = (uri: string): boolean => uri.startsWith('https:');
	if (more.length > 0) throw new OperatorError('put a name of several words in quotes');
	if (redirect.length === 0) throw new OperatorError('name at least one --redirect');
	if (logout !== null && !isWeb(logout)) throw new OperatorError('--logout is an https URL');
	const isNative = isPublic && ![...redirect, ...after].every(isWeb);
	for (const uri of [...redirect, ...after, ...(logout === null ? [] : [logout])]) {
		const problem = clientUriProblem(uri, { isPublic, isNative });
		if (problem !== null) throw new OperatorError(`${JSON.stringify(uri)} ${problem}`);
	}
	if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u.test(name)) {
		throw new OperatorError('name the application, in at most 60 characters');
	}
	if (algorithm !== 'RS256' && algorithm !== 'ES256') {
		throw new OperatorError('--algorithm is RS256 or ES256');
	}
	return {
		name,
		isPublic,
		isNative,
		logoutUri: logout,
		algorithm: algorithm as OidcClient['algorithm'],
		redirectUris: redirect.join(' '),
		afterLogoutUris: after.join(' ')
	};
};

export const oidcVerbs: Readonly<Record<string, Verb>> = {
	'oidc clients add': {
		args: ['NAME'],
		requiredOptions: ['redirect'],
		options: ['public', 'logout', 'after-logout', 'algorithm'],
		help: 'registers an application that signs people in here',
		check: readClient,
		run: async ({ app, args, options, say }) => {
			const { id, secret } = await app.addOidcClient(readClient(args, options));
			const issuer = `${app.config.origin}/oidc`;
			say(`issuer: ${issuer}`);
			say(`client id: ${id}`);
			if (secret !== null) say(`client secret, shown only now: ${secret}`);
			return { issuer, clientId: id, clientSecret: secret };
		}
	},
	'oidc clients list': {
		args: [],
		help: 'lists these applications',
		run: async ({ app, say }) => {
			const clients = await app.listOidcClients();
			return clients.map(({ id, name, secretHash, redirectUris }) => {
				const isPublic = secretHash === null;
				say(`${id} ${printable(name)}${isPublic ? ' (public)' : ''}: ${redirectUris}`);
				return { id, name, isPublic, redirectUris: redirectUris.split(' ') };
			});
		}
	},
	'oidc clients remove': {
		args: ['ID'],
		help: 'removes one, with everything that it was given',
		run: async ({ app, args: [id = ''], confirm, say }) => {
			const client = (await app.listOidcClients()).find((one) => one.id === id);
			await confirm(`remove ${printable(client?.name ?? id)}, with everything that it was given?`);
			if (!(await app.removeOidcClient(id))) {
				throw new OperatorError(`no client has this id: see ${calling('admin')} oidc clients list`);
			}
			say('removed, with everything that it was given');
			return { id, done: 'remove' };
		}
	},
	'oidc keys rotate': {
		args: [],
		help: 'adds new signing keys',
		run: async ({ app, say }) => {
			const from = await app.rotateOidcKeys();
			say(
				`new keys sign from ${from.toISOString()} on; earlier ones are published until their tokens have expired`
			);
			return { from };
		}
	}
};
