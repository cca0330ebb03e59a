// Plain JavaScript, because the Node versions that it detects cannot run TypeScript.

/**
 * One line that explains that this Node is too old. Null when the version is supported. SQLite's
 * native driver crashes an old Node without a message.
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
