import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { brand } from '../brand.ts';
import * as links from '../links.ts';
import { withoutProlog } from '../svg.ts';
import { brandProblems } from './check-brand.ts';
import { coloursOf } from './derive-palette.ts';
import { brandFiles } from './files.ts';
import { withColours } from './style-sheets.ts';

const LOGO = join('src', 'lib', 'brand', 'logo.svg');
const PALETTE = join('src', 'lib', 'brand', 'palette.ts');
const LINKS = join('src', 'lib', 'brand', 'links.ts');
const LOGO_COMPONENT = join('src', 'lib', 'ui', 'layout', 'Logo.svelte');
const PLAIN_PAGE = join('src', 'plain-page.css');

/** With a query where the development server renders the styles into the page. */
const STYLE_SHEET = /\.css(?:$|\?)/;
/** In the component, where the framework's compiler then finds the logo as if written there. */
const LOGO_PLACE = '<!-- The build puts src/lib/brand/logo.svg here. -->';

/** A module that exports these values. */
const moduleOf = (values: object): string =>
	Object.entries(values)
		.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
		.join('\n');

/**
 * Gives the build the brand: its colours in style sheets and code, and its icons and other files at
 * the root of the site. Refuses a brand that it cannot use, with one line for each reason.
 */
export const brandPlugin = (): Plugin => {
	const logo = withoutProlog(readFileSync(LOGO, 'utf8'));
	const problems = brandProblems(brand, logo);
	// Read only where the brand has no problem.
	const colours = () => coloursOf(brand.accent);
	const files = () =>
		brandFiles(colours().palette, { logo, plainPage: readFileSync(PLAIN_PAGE, 'utf8') });
	return {
		name: 'postern-brand',
		enforce: 'pre',
		configResolved: ({ command, logger }) => {
			if (problems.length === 0) return;
			// A running development server keeps its last good brand when this throws.
			if (command === 'serve') throw new Error(problems.join('\n'));
			for (const problem of problems) logger.error(`[postern] ${problem}`);
			process.exit(1);
		},
		load: (id) => {
			if (id === resolve(PALETTE)) return moduleOf(colours());
			return id === resolve(LINKS) ? moduleOf(links) : null;
		},
		transform: (code, id) => {
			if (id === resolve(LOGO_COMPONENT)) return code.replace(LOGO_PLACE, () => logo);
			return STYLE_SHEET.test(id) ? withColours(code, colours().palette) : null;
		},
		async generateBundle() {
			if (this.environment.name !== 'client') return;
			for (const [fileName, file] of Object.entries(files())) {
				this.emitFile({ type: 'asset', fileName, source: await file.make() });
			}
		},
		configureServer: (server) => {
			server.watcher.add(resolve(LOGO));
			server.watcher.on('change', (path) => {
				if (path === resolve(LOGO)) void server.restart();
			});
			server.middlewares.use((request, response, next) => {
				const file = files()[(request.url ?? '').slice(1).split('?', 1)[0] ?? ''];
				if (file === undefined) return next();
				void Promise.resolve(file.make()).then((body) => {
					response.setHeader('content-type', file.type).end(body);
				}, next);
			});
		}
	};
};
