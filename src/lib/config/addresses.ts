import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked } from './checked.ts';

/** The only host for which the browser may keep a session over plain http: this machine. */
export const isLocalhost = (url: URL): boolean =>
	['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) || url.hostname.endsWith('.localhost');

/** The public URL of the site: an origin and nothing more. */
export const parseAuthUrl = (value: string | undefined, allowHttp: boolean): Checked<URL> => {
	if (value === undefined) {
		return refuse(
			'it is missing',
			'Set it to the public URL of the site, such as https://example.org'
		);
	}
	const url = URL.canParse(value) ? new URL(value) : null;
	if (url === null || !/^https?:$/.test(url.protocol)) {
		return refuse(`"${value}" is not a URL`, 'Write it like https://auth.example.org');
	}
	if (url.href !== `${url.origin}/`) {
		return refuse(
			'it contains more than scheme, host and port',
			`Set it to ${url.origin}. Postern must run at the root of its host`
		);
	}
	if (url.protocol === 'http:' && !isLocalhost(url) && !allowHttp) {
		return refuse(
			`plain http on ${url.hostname} would expose codes and sessions to the network`,
			'Use https, or set AUTH_ALLOW_HTTP=1 if you accept this'
		);
	}
	return ok(url);
};

/** The shells of mobile apps load their pages from these origins. */
export const SHELL_ORIGINS: readonly string[] = [
	'capacitor://localhost',
	'ionic://localhost',
	'http://localhost'
];

/** Other origins that may call this server. They are compared as text, so each must be exact. */
export const parseOrigins = (value: string | undefined): Checked<readonly string[]> => {
	const origins = [...SHELL_ORIGINS];
	for (const entry of splitList(value)) {
		const origin = exactOrigin(entry.replace(/\/$/, ''));
		if (origin === null) {
			return refuse(
				`"${entry}" is not an origin`,
				'Write each as scheme://host or scheme://host:port, without path or wildcard'
			);
		}
		origins.push(origin);
	}
	return ok(origins);
};

export const splitList = (value: string | undefined): readonly string[] =>
	(value ?? '').split(',').flatMap((entry) => entry.trim() || []);

/**
 * `scheme://host[:port]` in its canonical form. Null for anything that is more or less than that.
 */
export const exactOrigin = (text: string): string | null => {
	if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\\?#@\s*]+$/i.test(text) || !URL.canParse(text)) return null;
	const url = new URL(text);
	if (url.host === '' || (url.pathname !== '' && url.pathname !== '/')) return null;
	return `${url.protocol}//${url.host}`.toLowerCase();
};
