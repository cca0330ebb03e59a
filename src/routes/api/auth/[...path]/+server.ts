import { httpError } from '#lib/adapters/web/http/http-errors.ts';

export const fallback = () => httpError('not_found');
