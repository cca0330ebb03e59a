import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseChangelog } from '#lib/adapters/web/pages/changelog.ts';

const text = `# Changelog

Words about the format.

## [Unreleased]

### Added

- One thing
  on two lines.
- Another \`thing\`.

### Fixed

- A fault.

## [1.0.0] - 2026-11-21

### Added

- Everything.
`;

describe('the changelog', () => {
	test('is parsed by version, kind and line', () => {
		expect(parseChangelog(text)).toEqual([
			{
				version: null,
				date: null,
				changes: [
					{ kind: 'Added', items: ['One thing on two lines.', 'Another `thing`.'] },
					{ kind: 'Fixed', items: ['A fault.'] }
				]
			},
			{
				version: '1.0.0',
				date: '2026-11-21',
				changes: [{ kind: 'Added', items: ['Everything.'] }]
			}
		]);
	});

	test('without a version is empty', () => {
		expect(parseChangelog('# Changelog\n')).toEqual([]);
	});

	test('has no links to files of the repository, which are no pages', () => {
		const items =
			'- It is fast ([how](docs/a.md)).\n- The [threat model](docs/b.md) has a table.\n';
		const [release] = parseChangelog(`## [Unreleased]\n\n### Added\n\n${items}`);
		expect(release?.changes[0]?.items).toEqual(['It is fast.', 'The threat model has a table.']);
	});

	test('of this project keeps every line', () => {
		const own = readFileSync('CHANGELOG.md', 'utf8');
		const items = parseChangelog(own).flatMap(({ changes }) => changes.flatMap((one) => one.items));
		expect(items).toHaveLength(own.split(/^- /m).length - 1);
	});
});
