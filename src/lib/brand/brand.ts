import type { SiteBrand } from './site-brand.ts';

/**
 * Your brand. Change it here, and the logo in logo.svg: a square drawing in which `currentColor` is
 * the accent. `npm run dev` shows the result. site-brand.ts describes each value.
 */
export const brand: SiteBrand = {
	name: 'Postern',
	accent: '#0d604b',
	supportEmail: null,
	links: [],
	legal: { privacy: null, terms: null, imprint: null }
};
