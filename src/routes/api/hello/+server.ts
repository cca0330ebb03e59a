import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { requireUser } from '#lib/adapters/web/require-user.ts';

/** An example of an endpoint of your own: it is protected because it is not on the public list. */
export const GET = endpoint((event) => {
	const { name, email } = requireUser(event);
	return Response.json({ message: `Hello, ${name || email}` });
});

export const fallback = onlyMethods('GET', 'HEAD');
