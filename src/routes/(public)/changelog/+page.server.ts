import source from '../../../../CHANGELOG.md?raw';

/** Without marks, and without links, which lead to files of the repository. */
const plain = (markdown: string): string =>
	markdown
		.replace(/\s+\(\[[^\]]*\]\([^)]*\)\)|\]\([^)]*\)|^###.*$|[`*[\]]/gm, '')
		.replace(/\s+/g, ' ')
		.trim();

const releases = source
	.split(/^## /m)
	.slice(1)
	.map((release) => {
		const [title = '', ...points] = release.split(/^- /m).map(plain);
		return { title, points };
	});

export const load = () => ({ releases });
