import { openApiDocument } from '#lib/adapters/web/api/openapi/document.ts';
import { quickStart } from '#lib/adapters/web/api/reference/api-reference.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => ({
	quickStart: quickStart(openApiDocument(locals.app.config))
});
