import type { BuiltServer } from '../process/built-server.ts';
import { call, ME, pairOf, type Answer, type SignedIn } from './client.ts';

export const CACHE = 'postern_cache';

/** The cache cookie in an answer; null if the answer sets none, or deletes it. */
export const cacheIn = ({ setCookies }: Answer): string | null =>
	setCookies.map(pairOf).find(([name, value]) => name.endsWith(CACHE) && value !== '')?.[1] ?? null;

const TIMEOUT = 20_000;

/**
 * The cookie jar of a session, with a cache that this server accepts: it answered from the cache,
 * as it would have set a new one after a query.
 */
export const liveJar = async (
	server: BuiltServer,
	{ cookie, email }: Pick<SignedIn, 'cookie' | 'email'>
): Promise<string> => {
	let jar = cookie;
	const end = performance.now() + TIMEOUT;
	while (performance.now() < end) {
		const answer = await call(server, ME, { headers: { cookie: jar } });
		if (!answer.text.includes(email)) throw new Error(`${email} is not signed in: ${answer.text}`);
		const cache = cacheIn(answer);
		if (cache === null) return jar;
		jar = `${cookie}; ${CACHE}=${cache}`;
	}
	throw new Error(`no cache was believed within ${TIMEOUT} ms`);
};
