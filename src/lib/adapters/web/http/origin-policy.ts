import { exactOrigin } from '#lib/config/addresses.ts';

export interface OriginRequest {
	readonly method: string;
	readonly headers: Headers;
	/**
	 * Whether a cookie is the credential of this request. A function, because most requests don't
	 * need the result.
	 */
	readonly actsByCookie: () => boolean;
}

export type OriginVerdict = 'pass' | 'invalid_origin' | 'missing_origin';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Whether requests of this method change nothing. */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.includes(method);

/**
 * Decides whether a state-changing request comes from an allowed page. Browsers send an origin with
 * every POST; API clients send none. A request without an origin is allowed unless a cookie is its
 * credential.
 */
export const judgeOrigin = (
	request: OriginRequest,
	trusted: ReadonlySet<string>
): OriginVerdict => {
	if (isSafeMethod(request.method)) return 'pass';
	const { headers } = request;
	const origin = headers.get('origin') ?? headers.get('expo-origin');
	if (origin === 'null') return 'missing_origin';
	const claimed = origin ?? refererOrigin(headers.get('referer'));
	if (claimed !== null) {
		const exact = exactOrigin(claimed);
		return exact !== null && trusted.has(exact) ? 'pass' : 'invalid_origin';
	}
	if (headers.get('sec-fetch-site') === 'cross-site') return 'invalid_origin';
	return request.actsByCookie() ? 'missing_origin' : 'pass';
};

const refererOrigin = (referer: string | null): string | null => {
	if (referer === null) return null;
	const url = URL.canParse(referer) ? new URL(referer) : null;
	return url === null || url.host === '' ? referer : `${url.protocol}//${url.host}`;
};
