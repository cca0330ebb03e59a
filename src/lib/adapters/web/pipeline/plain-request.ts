import type { RequestEvent } from '@sveltejs/kit';

/**
 * Empty for all parts, or one digit for each of the two layouts and the page. Any other value is
 * rendered without the cache.
 */
const PARTS = /^(?:[01]{3})?$/;

/**
 * The parts of its data that a page requests. The framework removes this parameter from
 * `event.url`.
 */
export const partsOf = ({ request }: Pick<RequestEvent, 'request'>): string =>
	new URL(request.url).searchParams.get('x-sveltekit-invalidated') ?? '';

/** Text that a caller puts into the URL must not be cached, because the page may repeat it. */
export const isPlain = (event: Pick<RequestEvent, 'request' | 'url'>): boolean =>
	event.url.search === '' &&
	/^(?:\/[\w-]+)+$/.test(event.url.pathname) &&
	PARTS.test(partsOf(event));
