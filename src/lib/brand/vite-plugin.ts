import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { brandPictures } from './brand-pictures.ts';
import * as derived from './derived.ts';
import type { Palette } from './derive-palette.ts';

const DERIVED = resolve('src/lib/brand/derived.ts');
const LOGO = resolve('src/lib/brand/logo.svg');
const LOGO_COMPONENT = resolve('src/lib/ui/layout/Logo.svelte');
const STYLES = 'src/lib/ui/styles/';
const PLAIN_PAGE = [`${STYLES}tokens.css`, `${STYLES}base.css`];

/** In the component, where the framework's compiler then finds the logo as if written there. */
const LOGO_PLACE = '<!-- The build puts src/lib/brand/logo.svg here. -->';
/** With a query where the development server renders the styles into the page. */
const STYLE_SHEET = /\.css(?:$|\?)/;
const TYPES = new Map([
	['.svg', 'image/svg+xml'],
	['.png', 'image/png'],
	['.css', 'text/css']
]);

/** Replaces `brand(accent-soft)` in a style sheet by that colour for light and dark. */
const withColours = (css: string, { light, dark }: Palette): string =>
	css.replace(/\bbrand\(([a-z-]+)\)/g, (_, name: string) => {
		const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
		if (!(key in light)) throw new Error(`the brand has no colour "${name}"`);
		return `light-dark(${light[key as keyof typeof light]}, ${dark[key as keyof typeof dark]})`;
	});

/**
 * Gives the build the brand: its colours in style sheets and code, and its icons and other files at
 * the root of the site. A brand that cannot be used throws here, when `derived.ts` is imported.
 */
export const brandPlugin = (): Plugin => {
	const { logo, palette } = derived;
	const files: ReturnType<typeof brandPictures> = {
		...brandPictures(logo, palette),
		'plain-page.css': () =>
			withColours(PLAIN_PAGE.map((path) => readFileSync(path, 'utf8')).join(''), palette)
	};
	return {
		name: 'postern-brand',
		enforce: 'pre',
		load: (id) =>
			id === DERIVED
				? Object.entries(derived)
						.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
						.join('\n')
				: null,
		transform: (code, id) => {
			// No line moves, so the source map stays right.
			const map = null;
			if (id === LOGO_COMPONENT) return { code: code.replace(LOGO_PLACE, () => logo), map };
			return STYLE_SHEET.test(id) ? { code: withColours(code, palette), map } : null;
		},
		async generateBundle() {
			if (this.environment.name !== 'client') return;
			for (const [fileName, make] of Object.entries(files)) {
				this.emitFile({ type: 'asset', fileName, source: await make() });
			}
		},
		configureServer: (server) => {
			// The server restarts by itself for other files of the brand, because this plugin imports them.
			server.watcher.on('change', (path) => {
				if (path === LOGO) void server.restart();
			});
			server.middlewares.use((request, response, next) => {
				const name = (request.url ?? '').slice(1).split('?', 1)[0] ?? '';
				const make = files[name];
				if (make === undefined) return next();
				Promise.resolve(make()).then((body) => {
					response.setHeader('content-type', TYPES.get(extname(name)) ?? '').end(body);
				}, next);
			});
		}
	};
};
