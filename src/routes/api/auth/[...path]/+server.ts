import { httpError } from '#lib/adapters/web/http/http-errors.ts';
import type { RequestHandler } from './$types';

export const fallback: RequestHandler = () => httpError('not_found');
