import { showError } from '#lib/adapters/web/api/service.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { errorPage } from '#lib/adapters/web/plain-page.ts';

export const GET = endpoint(showError, ({ url }) => {
	const told = ['error_description', 'error'].map((name) => url.searchParams.get(name) ?? '');
	return errorPage(told.find((text) => text.trim() !== '') ?? '');
});

export const fallback = onlyMethods(showError);
