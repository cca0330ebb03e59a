import type { RequestHandler } from './$types';

export const GET: RequestHandler = ({ locals: { user } }) =>
	Response.json({ message: `Hello, ${user.name || user.email}` });
