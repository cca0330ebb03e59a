import { openApiDocument } from '#lib/adapters/web/operations.ts';
import { readDocument } from '#lib/adapters/web/service/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { err, ok } from '#lib/domain/errors.ts';

export const { GET, fallback } = endpoint(readDocument, (event, { session }) => {
	const { config } = event.locals.app;
	if (!config.docs) return err({ code: 'not_found' });
	// The response to a signed-in caller may renew a cookie, so caches must not store it.
	if (session === null) event.setHeaders({ 'cache-control': 'public, max-age=300' });
	return ok({ ...openApiDocument(config) });
});
