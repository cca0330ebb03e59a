import { httpError } from '#lib/adapters/web/errors/http-errors.ts';
import type { RequestHandler } from './$types';

export const fallback: RequestHandler = () => httpError('not_found');
