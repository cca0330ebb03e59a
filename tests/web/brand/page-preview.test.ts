import { expect, test } from 'vitest';
import { pagePreview } from '#lib/adapters/web/edge/page-preview.ts';

const site = { siteName: 'A "B" <C>', origin: 'https://auth.example.org' };
const head = '<title>Buy "x"&lt;y · A</title>';

test('a public page has a description and a preview, whose quotes end no attribute', () => {
	const preview = pagePreview(site, { routeId: '/(public)/roadmap', isPublic: true, head });
	expect(preview).toContain(
		'name="description" content="What we plan next for A &quot;B&quot; &lt;C&gt;."'
	);
	expect(preview).toContain('property="og:title" content="Buy &quot;x&quot;&lt;y · A"');
	expect(preview).toContain('content="https://auth.example.org/social-preview.png"');
	// Nothing is left between the tags.
	expect(preview.replace(/<meta (?:name|property)="[\w:]+" content="[^"<>]*" \/>/g, '')).toBe('');
});

test('a page that needs a session has no preview, and the description of the site', () => {
	const preview = pagePreview(site, { routeId: '/settings', isPublic: false, head });
	expect(preview).toMatch(
		/^<meta name="description" content="[^"]+A &quot;B&quot; &lt;C&gt;[^"]+" \/>$/
	);
});

test('a description of the page itself is kept and not written twice', () => {
	const own = `${head}<meta name="description" content="All &amp; more"/>`;
	const preview = pagePreview(site, { routeId: '/docs', isPublic: true, head: own });
	expect(preview).toContain('property="og:description" content="All &amp; more"');
	expect(preview).not.toContain('name="description"');
});
