import { parseSiteName, parseSupportEmail } from '#lib/config/values.ts';
import type { SiteBrand } from '../site-brand.ts';
import { nearestAccent, weakPairs } from './check-contrast.ts';
import { derivePalette, isColour } from './derive-palette.ts';

/**
 * What a browser does not show under the content security policy of the pages, what a logo has no use
 * for, or what would be an expression in a component.
 */
const NOT_IN_LOGO = /<(?:style|script|foreignObject|image|use)\b|\s(?:style|href|on\w+)\s*=|[{}]/i;

/** What is wrong with the brand, one line each. Empty if the build can use it. */
export const brandProblems = (brand: SiteBrand, logo: string): readonly string[] =>
	[...nameProblems(brand), ...accentProblems(brand.accent), ...linkProblems(brand)]
		.map((problem) => `src/lib/brand/brand.ts: ${problem}`)
		.concat(logoProblems(logo));

const nameProblems = ({ name, supportEmail }: SiteBrand): readonly string[] => {
	const parsed = name === '' ? null : parseSiteName(name);
	const address = parseSupportEmail(supportEmail);
	return [
		...(parsed === null ? ['name: it is empty. Write the name of the site'] : []),
		...(parsed !== null && !parsed.ok ? [`name: ${parsed.error.why}. ${parsed.error.fix}`] : []),
		...(address.ok ? [] : [`supportEmail: ${address.error.why}. ${address.error.fix}`])
	];
};

const accentProblems = (accent: string): readonly string[] => {
	if (!isColour(accent))
		return [`accent: "${accent}" is not an opaque colour. Write one such as #0d604b`];
	const [weak] = weakPairs(derivePalette(accent));
	if (weak === undefined) return [];
	const { theme, colour, on, least } = weak;
	const ratio = Math.floor(weak.ratio * 10) / 10;
	return [
		`accent: ${accent} has too little contrast for WCAG AA: ${colour} on ${on} reaches ${ratio} and needs ${least} in the ${theme} theme. The nearest shade that does is ${nearestAccent(accent)}`
	];
};

const linkProblems = ({ links, legal }: SiteBrand): readonly string[] => {
	const targets = [...links.map(({ href }) => href), ...Object.values(legal)];
	return [
		...(links.some(({ text }) => text.trim() === '')
			? ['links: one has no text. Give it one']
			: []),
		...targets
			.filter((href) => href !== null && !isTarget(href))
			.map(
				(href) => `links: "${href}" is neither a path nor an https URL. Write /path or https://…`
			)
	];
};

/** `//host` would be another site. */
const isTarget = (href: string): boolean =>
	/^\/(?!\/)/.test(href) || (/^https:\/\//.test(href) && URL.canParse(href));

const logoProblems = (logo: string): readonly string[] => {
	const file = 'src/lib/brand/logo.svg';
	if (!/<svg\b[^>]*\bviewBox=/.test(logo))
		return [`${file}: it has no viewBox. Export it as a plain SVG`];
	const found = NOT_IN_LOGO.exec(logo);
	return found === null
		? []
		: [
				`${file}: it contains "${found[0].trim()}", which pages do not show. Use attributes such as fill`
			];
};
