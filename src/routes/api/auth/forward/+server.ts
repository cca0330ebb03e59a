import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { answerProxy } from '#lib/adapters/web/forward/answer-proxy.ts';
import { checkForProxy } from '#lib/adapters/web/forward/operations.ts';

export const { GET, fallback } = endpoint(checkForProxy, (event, { user }) =>
	answerProxy(event, user)
);
