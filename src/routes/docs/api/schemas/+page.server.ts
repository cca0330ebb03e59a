import { referenceLinks } from '#lib/adapters/web/api/reference/api-reference.ts';
import { referenceOf } from '../reference-of.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => {
	const reference = referenceOf(locals);
	return { links: referenceLinks(reference), schemas: reference.schemas };
};
