import type { ResolveOptions } from '@sveltejs/kit/hooks';
import { expect, test } from 'vitest';
import { requestPipeline } from '#lib/adapters/web/request-pipeline.ts';
import { respondTo } from '../../support/web/framework.ts';
import { aSite, ORIGIN } from '../../support/web/site.ts';

type Render = (options: ResolveOptions | undefined) => Promise<Response>;

const answer = async (path: string, render: Render): Promise<Response> => {
	const { app } = await aSite();
	const pipeline = requestPipeline(() => app);
	const { response } = await respondTo(
		({ event }) => pipeline({ event, resolve: (_, options) => render(options) }),
		new Request(ORIGIN + path),
		'10.0.0.1'
	);
	return response;
};

// The second placeholder is text that a person typed.
const PARTS = [
	'<html lang="%postern.language%"><title>A</title></head>',
	'%postern.language%</html>'
];

/** What the framework does with a page: it describes the text that the hook returns. */
const rendered = async (options: ResolveOptions | undefined, more?: string): Promise<Response> => {
	let text = '';
	for (const [at, html] of PARTS.entries()) {
		const done = at === PARTS.length - 1;
		text += (await options?.transformPageChunk?.({ html, done })) ?? html;
	}
	if (more !== undefined) return new Response(new Blob([text, more]).stream(), { status: 404 });
	const headers = { 'content-length': String(text.length), etag: '"1"', 'x-framework': 'yes' };
	return new Response(text, { status: 404, headers });
};

const page = (end = ''): RegExp =>
	new RegExp(`^<html lang="en"><title>A</title></head>%postern.language%</html>${end}$`);

test('a page gets its language, and no text of a person is replaced', async () => {
	const response = await answer('/auth/sign-in', rendered);
	expect([response.status, response.headers.get('x-framework')]).toEqual([404, 'yes']);
	// The framework described an empty page.
	expect([response.headers.has('etag'), response.headers.has('content-length')]).toEqual([
		false,
		false
	]);
	expect(await response.text()).toMatch(page());
});

test('data that a page sends later follows the page', async () => {
	const response = await answer('/auth/sign-in', (options) => rendered(options, '<script>later'));
	expect(response.status).toBe(404);
	expect(await response.text()).toMatch(page('<script>later'));
});

test('a response without a page stays as it is', async () => {
	const redirect = new Response(null, { status: 303, headers: { location: '/app' } });
	expect(await answer('/auth/sign-in', async () => redirect)).toBe(redirect);
});

test('the text of an endpoint stays as it is', async () => {
	const seen: unknown[] = [];
	await answer('/api/auth/ok', async (options) => {
		seen.push(options);
		return new Response('ok');
	});
	expect(seen).toEqual([undefined]);
});
