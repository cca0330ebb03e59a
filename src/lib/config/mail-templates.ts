import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked } from './checked.ts';

/** One file of the operator's folder of email templates. */
export interface TemplateFile {
	/** Such as `welcome.html`. */
	readonly name: string;
	readonly text: string;
}

export interface TemplateFolder {
	readonly path: string;
	/** The `.html` and `.txt` files. */
	readonly files: readonly TemplateFile[];
}

/** Mail programs cut longer emails off, at about 100 KB. */
const LONGEST = 256 * 1024;

/** Reads the folder of `EMAIL_TEMPLATES`. What the files say is checked where emails are known. */
export const readTemplateFolder = (path: string | undefined): Checked<TemplateFolder | null> => {
	if (path === undefined) return ok(null);
	try {
		const names = readdirSync(path).filter((name) => /\.(?:html|txt)$/.test(name));
		if (names.length === 0) return refuse(`there are no .html and .txt files in ${path}`, NAME_IT);
		const long = names.find((name) => statSync(join(path, name)).size > LONGEST);
		if (long !== undefined) {
			return refuse(
				`${long} has more than 256 KB`,
				'Mail programs cut such emails off. Shorten it'
			);
		}
		return ok({ path, files: names.map((name) => ({ name, text: readText(join(path, name)) })) });
	} catch (error) {
		return refuse(`${path} cannot be read (${reasonOf(error)})`, NAME_IT);
	}
};

const NAME_IT = 'Set it to a folder with email templates, such as examples/email-templates';

/** Without the mark that some editors write first. Throws when the file is not UTF-8. */
const readText = (file: string): string =>
	new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replaceAll('\r\n', '\n');

const reasonOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : String(error);
