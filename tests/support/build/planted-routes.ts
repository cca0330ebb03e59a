import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { guideSamples } from '../files/guide-sample.ts';

/** The guides about pages and endpoints of one's own, whose samples are planted as they are. */
const GUIDES = ['web-pages', 'protect-routes'];
/** The page of the guides, with a component of theirs below it. */
export const GUIDE_PAGE = '/notes';
export const GUIDE_COMPONENT = `${GUIDE_PAGE}/component`;

/** A protected page with a remote function of every kind; each says who called it. */
export const PLANTED_PAGE = '/planted';
/** A public endpoint that returns the headers it was called with, by every way to read them. */
export const PLANTED_HEADERS = '/api/auth/planted-headers';
/** A public endpoint that waits until its client disconnects, and counts these. */
export const PLANTED_FORWARD = '/api/auth/planted-forward';
/** What every planted function returns first. */
export const REACHED = 'a planted function was reached by';

const remote = `import { command, form, getRequestEvent, query } from '$app/server';
import { requireUser } from '#lib/adapters/web/edge/require-user.ts';

const reached = (): string => \`${REACHED} \${getRequestEvent().locals.user?.email ?? 'nobody'}\`;

export const read = query(() => reached());
export const readOwn = query(() => \`${REACHED} \${requireUser(getRequestEvent()).email}\`);
export const readMany = query.batch('unchecked', async () => () => reached());
export const follow = query.live(async function* () {
	yield reached();
});
export const change = command(() => reached());
export const send = form(() => reached());
`;

const page = `<script lang="ts">
	import FormToken from '#lib/ui/forms/FormToken.svelte';
	import { change, follow, read, readMany, readOwn, send } from './planted.remote.ts';

	const kinds = [change, follow, read, readMany, readOwn].length;
</script>

<h1>{kinds} planted functions</h1>
<p>{send.result}</p>
<form {...send}>
	<FormToken />
	<button>Send</button>
</form>
`;

const endpoint = `export const GET = ({ request }) => {
	const { headers } = request;
	const names = [...headers.keys()];
	const byName = (from) => names.map((name) => [name, from.get(name)]);
	return Response.json({
		byName: byName(headers),
		iterated: [...headers],
		entries: [...headers.entries()],
		known: names.map((name) => [name, headers.has(name) ? headers.get(name) : null]),
		copied: byName(new Headers(headers)),
		object: Object.entries(Object.fromEntries(headers)),
		request: [...new Request(request).headers],
		after: byName(headers)
	});
};
`;

const forward = `let left = 0;

export const GET = async (event) => {
	const { request, url } = event;
	if (url.searchParams.has('left')) return Response.json({ left });
	if (url.searchParams.has('wait')) {
		await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
		left += 1;
	}
	return new Response();
};
`;

const ADAPTER = 'adapter: adapter(),';

/** Adds the routes to a copy of the project, which is built with remote functions switched on. */
export const plantRoutes = (root: string): void => {
	const plant = (path: string, text: string): void => {
		const file = join(root, 'src', 'routes', path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	};
	plant(`${PLANTED_PAGE}/planted.remote.ts`, remote);
	plant(`${PLANTED_PAGE}/+page.svelte`, page);
	plant(`${PLANTED_HEADERS}/+server.ts`, endpoint);
	plant(`${PLANTED_FORWARD}/+server.ts`, forward);
	plantGuides(root, plant);
	addAfter(join(root, 'vite.config.ts'), ADAPTER, ' experimental: { remoteFunctions: true },');
};

const plantGuides = (root: string, plant: (path: string, text: string) => void): void => {
	for (const [caption, code] of GUIDES.flatMap((slug) => [...guideSamples(slug)])) {
		// The lines that a list of rules gets, between its first and last line.
		const [, first = '', lines] =
			/^(export const \w+ = \{\n)\t\/\/ …\n(.*)\n\};$/s.exec(code) ?? [];
		if (lines !== undefined) addAfter(join(root, caption), first, `${lines},\n`);
		else if (caption === 'A component') plant(`${GUIDE_COMPONENT}/+page.svelte`, code);
		else plant(caption.replace('src/routes/', ''), code);
	}
};

const addAfter = (file: string, before: string, added: string): void => {
	const text = readFileSync(file, 'utf8');
	if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
	writeFileSync(file, text.replace(before, before + added));
};
