/** The anchor of a section of a guide. GitHub makes the same one, so a link works in both places. */
export const guideAnchor = (title: string): string =>
	title
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.replace(/\s/g, '-');
