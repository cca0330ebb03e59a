import type { LimitName } from './limits.ts';
import type { RouteRules } from '../rules.ts';
import { API, AUTH_API, decodedPath, isSafeMethod, isUnder } from '../../http/paths.ts';

export interface LimitedRequest {
	readonly method: string;
	readonly rules: RouteRules;
	readonly pathname: string;
	/** The form action (see `actionOf`). A function, because most requests don't need it. */
	readonly action: () => string;
	/** Whether clients have no limits of their own, because many people share one address. */
	readonly networkOnly?: boolean;
}

export interface CountedKey {
	readonly name: LimitName;
	/** What is counted separately within that limit. The caller adds the client. */
	readonly key: string;
}

/**
 * The limits that apply to a request. The rules of the matched route decide, never the text of the
 * path. Paths without a route share one bucket. Preflights are counted separately: they need no
 * work, but a browser that sends one before each call must not get half the limit.
 */
export const limitsOf = (request: LimitedRequest): readonly CountedKey[] => {
	if (!isLimited(request)) return [];
	const { bucket, postLimits: limits } = request.rules;
	if (request.method === 'OPTIONS') return [{ name: 'default', key: `preflight ${bucket}` }];
	const countedKeys: CountedKey[] = [{ name: 'default', key: bucket }];
	if (request.method !== 'POST') return countedKeys;
	const limit = typeof limits === 'string' ? limits : (limits.get(request.action()) ?? 'default');
	if (limit !== 'default') countedKeys.push({ name: limit, key: limit });
	return countedKeys;
};

const isLimited = ({ rules: { counted }, method, pathname }: LimitedRequest): boolean => {
	if (counted === 'all' || counted === 'none') return counted === 'all';
	if (counted === 'changes') return !isSafeMethod(method);
	const path = normalised(pathname);
	return isUnder(AUTH_API, path) || (!isSafeMethod(method) && !isUnder(API, path));
};

/** Normalises a path without a route as leniently as possible, to find which limit was meant. */
const normalised = (pathname: string): string => {
	const segments = decodedPath(pathname)
		.toLowerCase()
		.split(/[\\/]+/)
		.map((segment) => segment.replace(/;.*$/s, ''));
	return `/${segments.filter((segment) => segment !== '').join('/')}`;
};
