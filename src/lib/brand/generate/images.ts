import sharp from 'sharp';
import type { Palette } from './derive-palette.ts';

/** In pixels. The size in emails is a third of it, for sharp screens. */
const MAIL_LOGO = 96;
const SOCIAL = { width: 1200, height: 630 };
/** The part of an icon that its logo fills. Android cuts icons to a circle of 0.8. */
const SHARE_OF_TILE = 0.6;

/** The logo in one colour: where it says `currentColor`, it gets the accent. */
const inColour = (logo: string, colour: string): Buffer =>
	Buffer.from(logo.replaceAll('currentColor', colour));

const drawn = (logo: string, colour: string, size: number): Promise<Buffer> =>
	sharp(inColour(logo, colour))
		.resize(size, size, { fit: 'contain', background: '#00000000' })
		.png({ compressionLevel: 9 })
		.toBuffer();

/** For emails, whose background can be light or dark. */
export const mailLogo = (logo: string, { accentOnBoth }: Palette): Promise<Buffer> =>
	drawn(logo, accentOnBoth, MAIL_LOGO);

/** For home screens, which show transparent icons on black. */
export const icon = async (logo: string, { light }: Palette, size: number): Promise<Buffer> =>
	sharp({ create: { width: size, height: size, channels: 3, background: light.surface } })
		.composite([{ input: await drawn(logo, light.accent, Math.round(size * SHARE_OF_TILE)) }])
		.png({ compressionLevel: 9, palette: true })
		.toBuffer();

/**
 * For previews of links. It shows no name: a machine that builds may have no fonts, and `SITE_NAME`
 * can change the name later.
 */
export const socialPreview = async (logo: string, { light }: Palette): Promise<Buffer> => {
	const size = 320;
	const tile = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" rx="72" fill="${light.surface}"/></svg>`;
	return sharp({ create: { ...SOCIAL, channels: 3, background: light.accent } })
		.composite([
			{ input: Buffer.from(tile) },
			{ input: await drawn(logo, light.accent, size * SHARE_OF_TILE) }
		])
		.png({ compressionLevel: 9, palette: true })
		.toBuffer();
};

/** Browsers show it in tabs, whose colour follows the system. */
export const favicon = (logo: string, { light, dark }: Palette): string =>
	logo.replace(
		/<svg\b[^>]*>/,
		(opening) =>
			`${opening}<style>svg{color:${light.accent}}@media(prefers-color-scheme:dark){svg{color:${dark.accent}}}</style>`
	);
