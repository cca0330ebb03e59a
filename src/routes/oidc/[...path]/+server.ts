import { answerOidc } from '#lib/adapters/web/oidc/endpoint.ts';
import type { RequestHandler } from './$types';

export const fallback: RequestHandler = answerOidc;
