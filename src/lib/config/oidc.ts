import { z } from 'zod';
import { onOff, type Refuse } from './settings.ts';

export const oidcSettings = z.object({
	OIDC: onOff.default(false),
	OIDC_PRIVATE_CLIENTS: onOff.default(false)
});

/** Null when no application can sign in here. */
export const oidcConfig = (set: z.output<typeof oidcSettings>, refuse: Refuse) => {
	if (set.OIDC) return { mayCallPrivateAddresses: set.OIDC_PRIVATE_CLIENTS };
	if (set.OIDC_PRIVATE_CLIENTS) {
		refuse('OIDC_PRIVATE_CLIENTS', 'it has no effect without OIDC=on. Set that, or remove it');
	}
	return null;
};

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** RFC 8252 asks for a reversed domain name, which only its owner uses. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/** URIs are compared character by character later, so each must be as a browser writes it. */
export const uriProblem = (
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
