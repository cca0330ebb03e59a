/**
 * Returns the value of the cookie with exactly this name. Null if it occurs twice with different
 * values: at most one is ours, and we cannot know which. Skips only space and tab, as the cookie
 * grammar says. Other white space could make a different name look like ours.
 */
export const cookieValue = (header: string | null, name: string): string | null => {
	if (header === null) return null;
	let found: string | null = null;
	for (let start = 0; start < header.length;) {
		const semicolon = header.indexOf(';', start);
		const end = semicolon === -1 ? header.length : semicolon;
		while (isBlank(header, start)) start += 1;
		// Compare in place: most cookies are others, and some are long.
		if (header.startsWith(name, start) && header[start + name.length] === '=') {
			const value = header.slice(start + name.length + 1, end).replace(/[ \t]+$/, '');
			if (found !== null && found !== value) return null;
			found = value;
		}
		start = end + 1;
	}
	return found;
};

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';
