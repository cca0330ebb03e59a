import { showError } from '#lib/adapters/web/service/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { errorPage } from '#lib/adapters/web/http/plain-page.ts';

export const GET = endpoint(showError, (event) =>
	errorPage(event, event.url.searchParams.get('error') ?? '')
);

export const fallback = onlyMethods(showError);
