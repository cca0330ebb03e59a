import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { guideSamples, guideSource } from '../../support/files/guide-sample.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';

const { code, deletion, emailChange, session, throttle } = defaultPolicy;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

const slugs = readdirSync(join(projectRoot, 'docs/guides')).map((file) => file.replace('.md', ''));

describe('the guides in docs/guides', () => {
	it('are linked from the README', () => {
		const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
		const unlinked = slugs.filter((slug) => !readme.includes(`](docs/guides/${slug}.md)`));
		expect(unlinked).toEqual([]);
	});

	/** The guides are plain text, so these sentences cannot take the numbers from the policy. */
	it.each([
		['command-line', `The token expires ${session.lifetime / 86_400} days after its last use`],
		[
			'command-line',
			`In any ${throttle.window / 60} minutes, all unknown clients together can request at most ${throttle.sends} codes for a mailbox. The known devices of its account can request ${throttle.sends} more`
		],
		[
			'devices-and-challenges',
			`In any ${throttle.window / 60} minutes it can request ${throttle.sends} codes that nobody else can use up`
		],
		[
			'mobile-apps',
			`In any ${throttle.window / 60} minutes, the known devices of an account can request ${throttle.sends} codes`
		],
		['from-better-auth', `is valid for ${code.lifetime / 60} minutes`],
		['from-better-auth', `one of its ${code.attempts} attempts`],
		[
			'from-better-auth',
			`at most ${throttle.sends} in any ${throttle.window / 60} minutes for all unknown clients together, and ${throttle.sends} for the known devices of its account`
		],
		['from-better-auth', `can be undone for ${deletion.grace / 86_400} days`],
		['from-better-auth', `for ${emailChange.undoFor / 86_400} days |`],
		['from-better-auth', `signed in more than ${session.freshFor / 60} minutes ago`]
	])('%s states the default policy: %s', (slug, sentence) => {
		expect(oneLine(guideSource(slug))).toContain(sentence);
	});
});

describe('samples of the guides', () => {
	const texts = slugs.flatMap((slug) => [...guideSamples(slug).values()]);
	const imports = texts.flatMap((text) => [
		...text.matchAll(/import (?:type )?(?:\{([^}]*)\}|(\w+)) from '#lib\/([^']+)'/g)
	]);

	it('are all found by their captions', () => {
		for (const slug of slugs) {
			const fences = guideSource(slug).match(/^ *```\w+$/gm) ?? [];
			expect([slug, guideSamples(slug).size]).toEqual([slug, fences.length]);
		}
	});

	it('import only what this project has', () => {
		expect(imports.length).toBeGreaterThan(5);
		for (const [whole, names = '', , path = ''] of imports) {
			const file = join(projectRoot, 'src/lib', path);
			// The adapters that a guide tells its reader to write.
			if (/\/(?:billing|mail-service|support)\//.test(path)) continue;
			expect(existsSync(file), whole).toBe(true);
			for (const name of names.split(',').map((part) => part.trim())) {
				if (name === '') continue;
				expect(readFileSync(file, 'utf8'), whole).toMatch(
					new RegExp(`export (?:const|function|interface|type) ${name}\\b`)
				);
			}
		}
	});
});
