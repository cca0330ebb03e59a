import { registerHooks } from 'node:module';

// Loaded with `--import` before whatever opens a database from the sources (the build is one bundle).
// To learn whether a module is an ES module, Node takes the package.json of its package to pieces
// again for each one; drizzle-orm's is 180 kB, and it has 141 modules: half a second, three quarters
// of all that such a script does before its work. All that end in `.js` are ES modules.

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
