import { showError } from '#lib/adapters/web/api/service.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { errorPage } from '#lib/adapters/web/plain-page.ts';

export const GET = endpoint(showError, ({ url }) => errorPage(url.searchParams.get('error') ?? ''));

export const fallback = onlyMethods(showError);
