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
src/routes/(public)/pricing/+page.svelte open to everybody, at /pricing
src/routes/blog/+page.svelte             open: /blog is a public prefix
src/routes/api/notes/+server.ts          needs a session, answers 401
`;

export const access = `export const PUBLIC_EXACT = ['/', '/contact', '/roadmap', '/changelog'] as const;

export const PUBLIC_PREFIXES = ['/auth', '/ai', '/blog', '/checkout', '/docs', '/templates'] as const;
`;

export const limit = `export const LIMITED_ROUTES: readonly RouteId[] = ['/api/marketing-consent', '/api/notes'];
`;
