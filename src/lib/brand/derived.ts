import { readFileSync } from 'node:fs';
import { brand } from './brand.ts';
import { derivePalette, type Palette } from './derive-palette.ts';
import { logoDrawing } from './logo-drawing.ts';

/*
 * What derives from the brand. The build replaces this module by its values, so that neither pages
 * nor the server load the code that computes them.
 */
export const palette: Palette = derivePalette(brand.accent);

/** The background of pages, for the interface of browsers. */
export const pageColours = { light: palette.light.page, dark: palette.dark.page };

export const logo: string = logoDrawing(readFileSync(new URL('logo.svg', import.meta.url), 'utf8'));
