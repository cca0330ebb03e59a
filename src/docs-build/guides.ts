import type { PreprocessorGroup } from 'svelte/compiler';
import { guideComponent } from './guide-component.ts';

/** Lets pages import a guide of `docs/guides` as a component. */
export const guides: PreprocessorGroup = {
	name: 'guides',
	markup: async ({ content, filename = '' }) =>
		filename.endsWith('.md') ? { code: await guideComponent(content) } : undefined
};
