import type { RequestEvent } from '@sveltejs/kit';

/** All parts, or one digit for each of the two layouts and the page: every other spelling is rendered. */
const PARTS = /^(?:[01]{3})?$/;

/** Which parts of its data a page asks for; the framework takes it off the address it shows to hooks. */
export const partsOf = ({ request }: Pick<RequestEvent, 'request'>): string =>
	new URL(request.url).searchParams.get('x-sveltekit-invalidated') ?? '';

/** What a caller writes into the address must not be kept, wherever a page may repeat it. */
export const isPlain = (event: Pick<RequestEvent, 'request' | 'url'>): boolean =>
	event.url.search === '' &&
	/^(?:\/[\w-]+)+$/.test(event.url.pathname) &&
	PARTS.test(partsOf(event));
