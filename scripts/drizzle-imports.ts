import { registerHooks } from 'node:module';

// Loaded with `--import` by whatever opens a database from the sources; the build has drizzle bundled.
// To learn whether a file is an ES module, Node takes the package.json of its package to pieces, anew
// for each file. Drizzle's is 180 kB, and 141 of its files are needed: half a second, more than half
// of what such a script takes to start. All of them that end in `.js` are ES modules.

const PACKAGE = '/node_modules/drizzle-orm/';

registerHooks({
	resolve: (specifier, context, next) => {
		const { parentURL } = context;
		if (!specifier.startsWith('.') || !specifier.endsWith('.js') || !parentURL?.includes(PACKAGE)) {
			return next(specifier, context);
		}
		return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
	}
});
