// Plain JavaScript, because the Node it is for cannot read anything else.

/**
 * What to tell whoever runs a Node that is too old, in one line; null when it will do. SQLite's
 * native driver crashes an old one without a word.
 *
 * @param {string} version
 * @returns {string | null}
 */
export const nodeProblem = (version) => {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major > 22 || (major === 22 && minor >= 17)
		? null
		: `Node ${version} is too old: run "npm start", which brings its own, or use Node 22.17 or later.`;
};
