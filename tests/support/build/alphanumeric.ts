import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, isUpToDate, SOURCES } from '../../../bin/lib/ensure-build.ts';
import type { CodeShape } from '#lib/domain/sign-in/code.ts';
import { plantBrand } from './other-brand.ts';
import { plantRoutes } from './planted-routes.ts';
import { projectRoot } from '../files/scratch-copy.ts';

/** The values of the two constants: capitals and digits that are not easily confused. */
export const alphanumeric: CodeShape = { length: 8, alphabet: 'ABCDEFGHJKMNPQRSTUVWXYZ23456789' };

/**
 * Inside the usual build folder: packages resolve from there, tools ignore it, and a new build
 * removes it.
 */
export const alphanumericFolder = join(projectRoot, 'build', 'alphanumeric');

const PARTS = [...SOURCES, 'drizzle'];
/** The inputs of this build, besides the project. */
const PLANTS = [
	import.meta.filename,
	join(import.meta.dirname, 'other-brand.ts'),
	join(import.meta.dirname, 'planted-routes.ts'),
	join(projectRoot, 'docs', 'guides')
];

/**
 * A copy of the project with other values of the two constants, another brand and some more routes,
 * built unless it is up to date.
 */
export const ensureAlphanumericBuild = (say: (line: string) => void): void => {
	if (isUpToDate(alphanumericFolder, [...PARTS, ...PLANTS])) return;
	say('building once more, with letters and digits in codes and another brand');
	rmSync(alphanumericFolder, { recursive: true, force: true });
	mkdirSync(alphanumericFolder, { recursive: true });
	for (const part of PARTS) {
		cpSync(join(projectRoot, part), join(alphanumericFolder, part), { recursive: true });
	}
	const file = join(alphanumericFolder, 'src', 'lib', 'domain', 'sign-in', 'code.ts');
	const changed = Object.entries({
		OTP_LENGTH: String(alphanumeric.length),
		OTP_ALPHABET: `'${alphanumeric.alphabet}'`
	}).reduce(setConstant, readFileSync(file, 'utf8'));
	writeFileSync(file, changed);
	plantBrand(alphanumericFolder);
	plantRoutes(alphanumericFolder);
	build(alphanumericFolder);
};

const setConstant = (text: string, [name, value]: readonly [string, string]): string => {
	const declared = new RegExp(`^(export const ${name} = ).*;$`, 'gm');
	if (text.match(declared)?.length !== 1) throw new Error(`code.ts declares no ${name}`);
	return text.replace(declared, `$1${value};`);
};

/** A code of the right shape with another last character. */
export const anotherAlphanumeric = (code: string, distance = 1): string => {
	const { alphabet } = alphanumeric;
	const last = alphabet.indexOf(code.at(-1) ?? '');
	return code.slice(0, -1) + (alphabet[(last + distance) % alphabet.length] ?? '');
};

/** As users write it down: in lower case, in two halves. */
export const written = (code: string, between: string): string =>
	`${code.slice(0, 4)}${between}${code.slice(4)}`.toLowerCase();
