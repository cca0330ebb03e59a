import { favicon, icon, mailLogo, socialPreview } from './images.ts';
import type { Palette } from './derive-palette.ts';
import { withProperties } from './style-sheets.ts';

export interface BrandFile {
	readonly type: string;
	make(): string | Promise<string | Buffer>;
}

const png = (make: () => Promise<Buffer>): BrandFile => ({ type: 'image/png', make });

/** The files that the brand makes, by their path on the site. */
export const brandFiles = (
	palette: Palette,
	source: { readonly logo: string; readonly plainPage: string }
): Readonly<Record<string, BrandFile>> => {
	const { logo, plainPage } = source;
	return {
		'favicon.svg': { type: 'image/svg+xml', make: () => favicon(logo, palette) },
		'apple-touch-icon.png': png(() => icon(logo, palette, 180)),
		'icon-192.png': png(() => icon(logo, palette, 192)),
		'icon-512.png': png(() => icon(logo, palette, 512)),
		'mail-logo.png': png(() => mailLogo(logo, palette)),
		'social-preview.png': png(() => socialPreview(logo, palette)),
		'plain-page.css': { type: 'text/css', make: () => withProperties(plainPage, palette) }
	};
};
