import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './scratch-copy.ts';

/** The origin in the samples of the guides. */
const SAMPLE_ORIGIN = 'http://localhost:3000';

/** The Markdown of a guide. */
export const guideSource = (slug: string): string =>
	readFileSync(join(projectRoot, 'docs/guides', `${slug}.md`), 'utf8');

/** Every sample of a guide by its caption, for the server at `origin`. */
export const guideSamples = (slug: string, origin = SAMPLE_ORIGIN): ReadonlyMap<string, string> =>
	new Map(
		[...guideSource(slug).matchAll(/^ *\*\*(.+)\*\*\n\n *```\w+\n([\s\S]*?)\n *```$/gm)].map(
			([, caption = '', code = '']) => [caption, code.replaceAll(SAMPLE_ORIGIN, origin)]
		)
	);

/** A sample of a guide. Throws if there is none with this caption. */
export const guideSample = (slug: string, caption: string, origin = SAMPLE_ORIGIN): string => {
	const code = guideSamples(slug, origin).get(caption);
	if (code === undefined) throw new Error(`docs/guides/${slug}.md has no sample: ${caption}`);
	return code;
};
