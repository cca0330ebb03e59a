import { edgeError } from '#lib/adapters/web/api-error.ts';
import type { RequestHandler } from './$types';

export const fallback: RequestHandler = () => edgeError('not_found');
