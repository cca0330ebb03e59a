import { guidePlaces, referencePlaces } from '#lib/adapters/web/docs/places.ts';
import { search, searched } from '#lib/adapters/web/docs/search.ts';
import { referenceOf } from '../api/reference-of.ts';
import type { PageServerLoad } from './$types';

const LONGEST_QUERY = 100;
/** As many as fit on about three screens of a phone. */
const MOST_SHOWN = 12;

const guides = guidePlaces(
	import.meta.glob<string>('/docs/guides/*.md', { query: '?raw', import: 'default', eager: true })
);

/** Made at the first search. */
let places: ReturnType<typeof searched> | undefined;

export const load: PageServerLoad = ({ locals, url }) => {
	const query = (url.searchParams.get('q') ?? '').slice(0, LONGEST_QUERY).trim();
	places ??= searched([...referencePlaces(referenceOf(locals)), ...guides]);
	return { query, ...search(places, query, MOST_SHOWN) };
};
