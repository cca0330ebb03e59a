import { openApiDocument } from '#lib/adapters/web/api/openapi/document.ts';
import { apiReference, type ApiReference } from '#lib/adapters/web/api/reference/api-reference.ts';

/** The reference of this installation. Made once. */
export const referenceOf = ({ app }: Pick<App.Locals, 'app'>): ApiReference =>
	apiReference(openApiDocument(app.config));
