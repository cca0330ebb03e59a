/**
 * What the content security policy of pages blocks, what a logo does not need, and what would be an
 * expression in a component.
 */
const NOT_SHOWN = /<(?:style|script|foreignObject|image|use)\b|\s(?:style|href|on\w+)\s*=|[{}]/i;

/** The drawing alone, without the XML declaration and comments. Throws if pages could not show it. */
export const logoDrawing = (saved: string): string => {
	const drawing = saved.slice(Math.max(0, saved.indexOf('<svg'))).trim();
	if (!/^<svg\b[^>]*\bviewBox=/.test(drawing)) {
		throw new Error('src/lib/brand/logo.svg: it has no viewBox. Export it as a plain SVG');
	}
	const found = NOT_SHOWN.exec(drawing)?.[0].trim();
	if (found !== undefined) {
		throw new Error(
			`src/lib/brand/logo.svg: pages do not show its "${found}". Use attributes such as fill`
		);
	}
	return drawing;
};
