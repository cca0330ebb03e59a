import { err, ok, type Result } from '#lib/domain/errors.ts';

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** RFC 8252 asks for a reversed domain name, which only its owner uses. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

interface UriKinds {
	/** Whether one of the URIs leads to a program on the person's device. */
	readonly isNative: boolean;
}

/**
 * Checks the redirect URIs of a client. They are compared character by character later, so each must
 * be as a browser writes it. The error says what is wrong with the first wrong one.
 */
export const checkRedirectUris = (
	uris: readonly string[],
	isPublic: boolean
): Result<UriKinds, string> => {
	if (uris.length === 0) return err('name at least one --redirect');
	let isNative = false;
	for (const uri of uris) {
		const kind = kindOf(uri);
		if (typeof kind !== 'string') return err(`${JSON.stringify(uri)} ${kind.problem}`);
		if (kind === 'private' && !isPublic) {
			return err(
				`${JSON.stringify(uri)} leads to a program that cannot keep a secret: add --public`
			);
		}
		isNative ||= isPublic && kind !== 'web';
	}
	return ok({ isNative });
};

/** Checks a URI that the server calls. */
export const checkHttpsUri = (uri: string): Result<string, string> =>
	kindOf(uri) === 'web' ? ok(uri) : err(`${JSON.stringify(uri)} is not a plain https URL`);

type Kind = 'web' | 'loopback' | 'private' | { readonly problem: string };

const kindOf = (uri: string): Kind => {
	if (!URL.canParse(uri) || /[\s*#\\]/.test(uri)) {
		return { problem: 'is not a plain URL: wildcards, fragments and spaces are not allowed' };
	}
	const { href, protocol, hostname, username, password } = new URL(uri);
	if (href !== uri && href !== `${uri}/`) return { problem: `is not exact: write ${href}` };
	if (username !== '' || password !== '') return { problem: 'contains a user name' };
	if (protocol === 'https:') return 'web';
	if (protocol === 'http:') {
		return LOOPBACK.includes(hostname)
			? 'loopback'
			: { problem: 'is plain http, which is allowed for this machine only' };
	}
	return PRIVATE_SCHEME.test(protocol)
		? 'private'
		: { problem: 'has a scheme without a dot: use the reversed name of a domain of yours' };
};
