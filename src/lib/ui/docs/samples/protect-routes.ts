export const endpoint = `import { requireUser } from '#lib/adapters/web/sessions/require-user.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = (event) => {
	const user = requireUser(event);
	return Response.json({ owner: user.id, notes: [] });
};
`;

export const remote = `import { getRequestEvent, query } from '$app/server';
import { requireUser } from '#lib/adapters/web/sessions/require-user.ts';

export const readNotes = query(() => {
	const user = requireUser(getRequestEvent());
	return { owner: user.id, notes: [] };
});
`;

export const tree = `src/routes/notes/+page.svelte            needs a session
src/routes/(public)/pricing/+page.svelte public, at /pricing
src/routes/blog/+page.svelte             public, if its line says so
src/routes/api/notes/+server.ts          needs a session, else 401
`;

export const access = `export const pageRules = {
	// …
	'/(public)/pricing': { access: 'public' },
	'/blog': { access: 'public' },
	'/notes': { access: 'session', actions: { default: 'default' } }
}`;

export const limit = `export const endpointRules = {
	// …
	'/api/notes': { access: 'session', limit: 'default' }
}`;
