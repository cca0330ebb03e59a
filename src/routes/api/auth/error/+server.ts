import { showError } from '#lib/adapters/web/service/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { errorPage } from '#lib/adapters/web/http/plain-page.ts';

export const { GET, fallback } = endpoint(showError, (event) =>
	errorPage(event, event.url.searchParams.get('error') ?? '')
);
