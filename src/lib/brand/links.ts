import { messages } from '#lib/messages/messages.ts';
import { brand } from './brand.ts';
import type { BrandLink } from './site-brand.ts';

const ORIGINAL_NAME = 'Postern';

/**
 * Whether pages link to the documentation, the changelog and the roadmap. The build replaces this
 * module by its values, so that a page has no code for a link that it does not show.
 */
export const showsDeveloperLinks: boolean = brand.developerLinks ?? brand.name === ORIGINAL_NAME;

const texts = messages.footer;
const legal = [
	{ text: texts.privacy, href: brand.legal.privacy },
	{ text: texts.terms, href: brand.legal.terms },
	{ text: texts.imprint, href: brand.legal.imprint }
];

/** The brand's own links at the end of every page. */
export const footerLinks: readonly BrandLink[] = [
	...brand.links,
	...legal.flatMap(({ text, href }) => (href === null ? [] : [{ text, href }]))
];
