import type { LimitName } from './limits.ts';
import { countedAt, type RouteRules } from '../rules.ts';
import { isSafeMethod } from '../../http/paths.ts';

export interface LimitedRequest {
	readonly method: string;
	readonly rules: RouteRules;
	readonly pathname: string;
	/** The form action (see `actionOf`). A function, because most requests don't need it. */
	readonly action: () => string;
}

interface CountedKey {
	readonly name: LimitName;
	/** What is counted separately within that limit. The caller adds the client. */
	readonly key: string;
}

/**
 * The limits that apply to a request. The rules of the matched route decide, never the text of the
 * path. Paths without a route share one bucket. Another spelling of an API path has no route, so it
 * only gets 404. Preflights are counted separately: they need no work, but a browser that sends one
 * before each call must not get half the limit.
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

const isLimited = ({ rules, method, pathname }: LimitedRequest): boolean => {
	const counted = rules.counted === 'by-path' ? countedAt(pathname) : rules.counted;
	return counted === 'all' || (counted === 'changes' && !isSafeMethod(method));
};
