import { openApiDocument } from '#lib/adapters/web/api/openapi.ts';
import { quickStart } from '#lib/adapters/web/docs/quick-start.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => ({
	quickStart: quickStart(openApiDocument(locals.app.config))
});
