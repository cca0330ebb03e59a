import { showError } from '#lib/adapters/web/api/operations/service.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { errorPage } from '#lib/adapters/web/errors/plain-page.ts';

export const GET = endpoint(showError, (event) =>
	errorPage(event, event.url.searchParams.get('error') ?? '')
);

export const fallback = onlyMethods(showError);
