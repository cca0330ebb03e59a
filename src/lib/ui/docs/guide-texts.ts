import type { Component } from 'svelte';
import type { GuideSlug } from './guides.ts';

/** Loaded one at a time, so that a page loads only its own guide. */
const texts = import.meta.glob<{ readonly default: Component }>([
	'/docs/guides/*.md',
	'!**/README.md'
]);

/** The text of a guide, made from its Markdown by the build. */
export const guideText = async (slug: GuideSlug): Promise<Component> => {
	const load = texts[`/docs/guides/${slug}.md`];
	if (load === undefined) throw new Error(`docs/guides has no ${slug}.md`);
	return (await load()).default;
};
