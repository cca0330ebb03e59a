import { methodNotAllowed } from '#lib/adapters/web/http/http-errors.ts';
import { answerMailHook } from '#lib/adapters/web/delivery/answer-mail-hook.ts';
import type { RequestHandler } from './$types';

export const POST: RequestHandler = answerMailHook;

export const fallback: RequestHandler = () => methodNotAllowed(['POST']);
