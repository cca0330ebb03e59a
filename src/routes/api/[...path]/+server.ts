import { edgeError } from '#lib/adapters/web/errors/http-errors.ts';
import type { RequestHandler } from './$types';

/** Unknown API paths, for somebody signed in; strangers got 401 before. */
export const fallback: RequestHandler = () => edgeError('not_found');
