import { parseArgs } from 'node:util';
import { uriProblem } from '#lib/config/oidc.ts';
import { type OidcClient } from '#lib/domain/oidc/ports.ts';
import { printable } from './printable.ts';
import { withApp } from './with-app.ts';

const USAGE = `\
npm run admin -- oidc clients add NAME --redirect https://… [--public] [--logout https://…] [--after-logout https://…] [--algorithm ES256]
npm run admin -- oidc clients list
npm run admin -- oidc clients remove ID
npm run admin -- oidc keys rotate`;

/** The client as its options describe it. Throws an error with one line for the operator. */
const readClient = (args: readonly string[]) => {
	const { positionals, values } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			redirect: { type: 'string', multiple: true, default: [] },
			'after-logout': { type: 'string', multiple: true, default: [] },
			logout: { type: 'string' },
			algorithm: { type: 'string', default: 'RS256' },
			public: { type: 'boolean', default: false }
		}
	});
	const { redirect, 'after-logout': after, logout = null, algorithm, public: isPublic } = values;
	const [name = '', ...more] = positionals;
	const isWeb = (uri: string): boolean => uri.startsWith('https:');
	if (more.length > 0) throw new Error('put a name of several words in quotes');
	if (redirect.length === 0) throw new Error('name at least one --redirect');
	if (logout !== null && !isWeb(logout)) throw new Error('--logout is an https URL');
	const isNative = isPublic && ![...redirect, ...after].every(isWeb);
	for (const uri of [...redirect, ...after, ...(logout === null ? [] : [logout])]) {
		const problem = uriProblem(uri, { isPublic, isNative });
		if (problem !== null) throw new Error(`${JSON.stringify(uri)} ${problem}`);
	}
	if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u.test(name)) {
		throw new Error('name the application, in at most 60 characters');
	}
	if (algorithm !== 'RS256' && algorithm !== 'ES256') {
		throw new Error('--algorithm is RS256 or ES256');
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

/**
 * What operators do about applications: `npm run admin -- oidc …`, after that word. Throws an error
 * that says what is wrong with the command.
 */
export const runOidc = async ([what = '', how = '', ...args]: readonly string[]): Promise<void> => {
	switch (`${what} ${how}`) {
		case '--help ':
		case '-h ':
			return console.log(USAGE);
		case 'clients add': {
			const client = readClient(args);
			return withApp(async (app, say) => {
				const { id, secret } = await app.addOidcClient(client);
				say(`issuer: ${app.config.origin}/oidc`);
				say(`client id: ${id}`);
				if (secret !== null) say(`client secret, shown only now: ${secret}`);
			});
		}
		case 'clients list':
			return withApp(async (app, say) => {
				for (const { id, name, secretHash, redirectUris } of await app.listOidcClients()) {
					const kind = secretHash === null ? ' (public)' : '';
					say(`${id} ${printable(name)}${kind}: ${redirectUris}`);
				}
			});
		case 'clients remove':
			return withApp(async (app, say) => {
				if (!(await app.removeOidcClient(args[0] ?? ''))) {
					throw new Error('no client has this id: see npm run admin -- oidc clients list');
				}
				say('removed, with everything that it was given');
			});
		case 'keys rotate':
			return withApp(async (app, say) => {
				const from = await app.rotateOidcKeys();
				say(
					`new keys sign from ${from.toISOString()} on; earlier ones are published until their tokens have expired`
				);
			});
		default:
			throw new Error('there is no such command: see npm run admin -- oidc --help');
	}
};
