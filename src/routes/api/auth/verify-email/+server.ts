import { resolve } from '$app/paths';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';

/** Where links lead that were made elsewhere by the client's habits. Only the page there does anything. */
export const GET = endpoint(({ url }) => {
	const kept = new URLSearchParams();
	for (const name of ['token', 'callbackURL']) {
		const value = url.searchParams.get(name);
		if (value !== null) kept.set(name, value);
	}
	const location = `${resolve('/auth/verify-email')}?${kept}`;
	return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } });
});

export const fallback = onlyMethods('GET', 'HEAD');
