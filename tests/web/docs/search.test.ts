import { describe, expect, it } from 'vitest';
import { openApiDocument } from '#lib/adapters/web/api/openapi/document.ts';
import { apiReference } from '#lib/adapters/web/api/reference/api-reference.ts';
import { guidePlaces, referencePlaces } from '#lib/adapters/web/docs/places.ts';
import { search, searched, type Place } from '#lib/adapters/web/docs/search.ts';
import { guides } from '#lib/ui/docs/guides.ts';
import { guideSource } from '../../support/docs/guide-sample.ts';

const place = (title: string, text = '', where = ''): Place => ({
	path: `docs/guides/${title}`,
	title,
	where,
	text
});
const titles = (places: readonly Place[], query: string): readonly string[] =>
	search(searched(places), query, 20).results.map(({ title }) => title);

describe('a search', () => {
	it('finds the places with every word, in any order and case', () => {
		const places = [place('One', 'red and blue'), place('Two', 'blue'), place('Red', 'BLUE')];
		expect(titles(places, 'Blue  RED')).toEqual(['Red', 'One']);
		expect(titles(places, 'green')).toEqual([]);
		expect(titles(places, '  ')).toEqual([]);
	});

	it('puts a match in the title before one in the text', () => {
		expect(titles([place('a', 'code'), place('b', '', 'code'), place('code')], 'code')).toEqual([
			'code',
			'b',
			'a'
		]);
	});

	it('shows the text around the match, cut between words', () => {
		const text = `${'before '.repeat(30)}needle ${'after '.repeat(60)}end`;
		const [found] = search(searched([place('a', text)]), 'needle', 20).results;
		expect(found?.excerpt).toMatch(/^… before .*needle after .*after …$/);
		expect(found?.excerpt.length).toBeLessThan(175);
		const [short] = search(searched([place('a', 'needle')]), 'needle', 20).results;
		expect(short?.excerpt).toBe('needle');
	});

	it('counts all matches and shows the best, and reads a repeated word once', () => {
		const places = searched([place('a', 'code'), place('b', 'code code'), place('code')]);
		const { count, results } = search(places, 'code', 2);
		expect([count, results.map(({ title }) => title)]).toEqual([3, ['code', 'b']]);
		expect(search(places, 'code Code CODE', 2)).toEqual({ count, results });
	});

	it('puts a text that says the word more often first', () => {
		expect(titles([place('a', 'code'), place('b', 'code code')], 'code')).toEqual(['b', 'a']);
	});
});

describe('a search in the documentation', () => {
	const config = {
		origin: 'https://auth.example.org',
		secure: true,
		signInLayout: 'single',
		siteName: 'Postern'
	} as const;
	const sources = ['README', ...guides.map(({ slug }) => slug)].map(
		(slug) => [`/docs/guides/${slug}.md`, guideSource(slug)] as const
	);
	const places = [
		...referencePlaces(apiReference(openApiDocument(config))),
		...guidePlaces(Object.fromEntries(sources))
	];

	it.each([
		['revoke-session', 'docs/api/post-revoke-session'],
		['sign in with a code', 'docs/api/post-sign-in-email-otp'],
		['invalid_otp', 'docs/api/errors#error-INVALID_OTP'],
		['conventions', 'docs/api/conventions'],
		['keychain', 'docs/guides/mobile-apps#where-to-keep-it'],
		['quick start', 'docs#quick-start'],
		['marketingOptIn', 'docs/api/post-sign-in-email-otp']
	])('for %s finds %s', (query, path) => {
		const { results } = search(searched(places), query, 20);
		expect(results.map((found) => found.path)).toContain(path);
	});

	it('names each place once', () => {
		const paths = places.map(({ path }) => path);
		expect(new Set(paths).size).toBe(paths.length);
	});
});
