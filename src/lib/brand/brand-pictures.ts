import sharp from 'sharp';
import type { Palette } from './derive-palette.ts';

/** In pixels. The size in emails is a third of it, for sharp screens. */
const MAIL_LOGO = 120;
/** The part of an icon that its logo fills. */
const SHARE_OF_ICON = 0.6;

/** The logo in one colour: where it says `currentColor`, it gets the accent. */
const drawn = (logo: string, colour: string, size: number): Promise<Buffer> =>
	sharp(Buffer.from(logo.replaceAll('currentColor', colour)))
		.resize(size, size, { fit: 'contain', background: '#00000000' })
		.png({ compressionLevel: 9 })
		.toBuffer();

/** Opaque, because home screens show transparent icons on black. */
const picture = async (logo: string, { light }: Palette, width: number, height: number) =>
	sharp({ create: { width, height, channels: 3, background: light.surface } })
		.composite([{ input: await drawn(logo, light.accent, Math.round(height * SHARE_OF_ICON)) }])
		.png({ compressionLevel: 9, palette: true })
		.toBuffer();

/** Browsers show it in tabs, whose colour follows the system. */
const favicon = (logo: string, { light, dark }: Palette): string =>
	logo.replace(
		/<svg\b[^>]*>/,
		(opening) =>
			`${opening}<style>svg{color:${light.accent}}@media(prefers-color-scheme:dark){svg{color:${dark.accent}}}</style>`
	);

/**
 * The pictures that the brand makes, by their name at the root of the site. None shows the site's
 * name: a machine that builds may have no fonts, and `SITE_NAME` can change the name later.
 */
export const brandPictures = (
	logo: string,
	palette: Palette
): Readonly<Record<string, () => string | Promise<Buffer>>> => ({
	'favicon.svg': () => favicon(logo, palette),
	'apple-touch-icon.png': () => picture(logo, palette, 180, 180),
	// Opaque, because the background of an email can be light or dark.
	'mail-logo.png': () => picture(logo, palette, MAIL_LOGO, MAIL_LOGO)
});
