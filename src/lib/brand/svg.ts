/** The drawing alone, without the XML declaration and comments with which programs save it. */
export const withoutProlog = (source: string): string =>
	source.slice(Math.max(0, source.indexOf('<svg'))).trim();
