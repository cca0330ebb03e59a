import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { openUnsubscribeLink, unsubscribe } from '#lib/adapters/web/consent/operations.ts';
import { callOccasion } from '#lib/adapters/web/consent/occasion.ts';
import { unsubscribeWith } from '#lib/adapters/web/consent/unsubscribe.ts';
import { ok } from '#lib/domain/errors.ts';
import { unsubscribePath } from '#lib/emailed-paths.ts';

export const { GET } = endpoint(openUnsubscribeLink, ({ params: { token = '' } }) => {
	return new Response(null, { status: 302, headers: { location: unsubscribePath(token) } });
});

export const { POST } = endpoint(unsubscribe, async (event) => {
	const done = await unsubscribeWith(event, callOccasion(event, null));
	return done.ok ? ok({ success: true }) : done;
});

export const fallback = onlyMethods(openUnsubscribeLink, unsubscribe);
