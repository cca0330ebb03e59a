import { referenceLinks } from '#lib/adapters/web/api/reference/api-reference.ts';
import { referenceOf } from './reference-of.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => {
	const reference = referenceOf(locals);
	const { introduction, version, errors, schemas } = reference;
	return {
		introduction,
		version,
		links: referenceLinks(reference),
		errors: errors.map(({ code }) => code),
		schemas: schemas.map(({ name }) => name)
	};
};
