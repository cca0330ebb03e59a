// Plain JavaScript, because the Node versions that it detects cannot run TypeScript.

/**
 * One line that explains that this Node is too old. Null when the version is supported. SQLite's
 * native driver crashes an old Node without a message. `bin/postern.js` imports TypeScript, which Node
 * runs without a flag since 22.18 and 23.6.
 *
 * @param {string} version
 * @returns {string | null}
 */
export const nodeProblem = (version) => {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	const isSupported = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
	return isSupported
		? null
		: `Node ${version} is too old: run "npm start", which brings its own, or use Node 22.18 or later, but not 23.0 to 23.5.`;
};
