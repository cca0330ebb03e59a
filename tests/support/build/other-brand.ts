import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteBrand } from '#lib/brand/brand.ts';

/** Nothing of it is the original's, and it has every link that a brand can have. */
export const otherBrand: SiteBrand = {
	name: 'Acme Garden',
	accent: '#6b21a8',
	supportEmail: 'help@acme.example',
	links: [
		{ text: 'Shop', href: 'https://shop.acme.example/' },
		{ text: 'Privacy', href: '/privacy' }
	],
	developerLinks: false
};

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
	<path fill="currentColor" d="M16 2l12 28H4z" />
</svg>
`;

/** Gives a copy of the project this brand, by the two files that the README names. */
export const plantBrand = (root: string): void => {
	const folder = join(root, 'src', 'lib', 'brand');
	writeFileSync(join(folder, 'brand.ts'), `export const brand = ${JSON.stringify(otherBrand)};\n`);
	writeFileSync(join(folder, 'logo.svg'), logo);
};
