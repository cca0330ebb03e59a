import { methodNotAllowed } from '#lib/adapters/web/http/http-errors.ts';

export { answerMailHook as POST } from '#lib/adapters/web/delivery/answer-mail-hook.ts';

export const fallback = () => methodNotAllowed(['POST']);
