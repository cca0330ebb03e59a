import { httpError } from '#lib/adapters/web/http/http-errors.ts';

/** Unknown API paths, for signed-in callers. Unauthenticated callers already got 401. */
export const fallback = () => httpError('not_found');
