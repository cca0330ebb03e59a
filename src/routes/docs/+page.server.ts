import { openApiDocument } from '#lib/adapters/web/api/openapi/document.ts';
import { quickStart } from '#lib/adapters/web/api/reference/curl-of.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => ({
	quickStart: quickStart(openApiDocument(locals.app.config))
});
