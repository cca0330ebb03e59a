import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	rmSync,
	symlinkSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { projectRoot } from './scratch-copy.ts';

const NOT_COPIED = ['.git', '.svelte-kit', 'build', 'data', 'node_modules', 'test-results', '.env'];
/** Generated from the routes, so a copy with other routes has its own. */
const GENERATED = '$app';

/**
 * A copy of the whole project that its own tools can change, build and run. Its packages are links,
 * except what the framework generates among them.
 */
export const projectCopy = (): { readonly root: string; remove(): void } => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'postern-copy-')));
	for (const part of readdirSync(projectRoot)) {
		if (NOT_COPIED.includes(part)) continue;
		cpSync(join(projectRoot, part), join(root, part), {
			recursive: true,
			filter: (source) => !NOT_COPIED.includes(basename(source))
		});
	}
	const packages = join(projectRoot, 'node_modules');
	mkdirSync(join(root, 'node_modules'));
	for (const name of readdirSync(packages)) {
		if (name === GENERATED) continue;
		symlinkSync(join(packages, name), join(root, 'node_modules', name), 'junction');
	}
	return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
};
