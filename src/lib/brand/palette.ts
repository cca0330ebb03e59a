import { brand } from './brand.ts';
import { coloursOf } from './generate/derive-palette.ts';

/**
 * The colours of the brand: `palette` has all of them, and `pageColours` only the background of
 * pages. The build replaces this module by its values.
 */
export const { palette, pageColours } = coloursOf(brand.accent);
