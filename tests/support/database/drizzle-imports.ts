import { registerHooks } from 'node:module';

// Scripts that open a database from the sources load this with `--import`. The build bundles
// drizzle.
//
// To decide whether a file is an ES module, Node parses the package.json of its package, again
// for each file. Drizzle's has 180 kB, and 141 of its files are needed. That takes half a second,
// more than half the start time of such a script. All of its files that end in `.js` are ES
// modules.

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
