import { httpError } from '#lib/adapters/web/http/http-errors.ts';
import type { RequestHandler } from './$types';

/** Unknown API paths, for signed-in callers. Unauthenticated callers already got 401. */
export const fallback: RequestHandler = () => httpError('not_found');
