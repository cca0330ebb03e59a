import { endOne } from '#lib/adapters/web/end-sessions.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { revokeSessionBody } from '#lib/adapters/web/schemas.ts';

/** The same answer for a handle that is unknown or somebody else's. */
export const POST = endpointWithBody(revokeSessionBody, async (event, { token }) => {
	await endOne(event, token);
	return Response.json({ status: true });
});

export const fallback = onlyMethods('POST');
