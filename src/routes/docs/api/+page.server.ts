import { openApiDocument } from '#lib/adapters/web/api/openapi/document.ts';
import { apiReference } from '#lib/adapters/web/api/reference/api-reference.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => ({
	reference: apiReference(openApiDocument(locals.app.config))
});
