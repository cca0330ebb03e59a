import { endOthers } from '#lib/adapters/web/end-sessions.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';

export const POST = endpoint(async (event) => {
	await endOthers(event);
	return Response.json({ status: true });
});

export const fallback = onlyMethods('POST');
