import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * A copy of the product's sources and tool configurations to plant violations in; the real tree is
 * never written to.
 */
export const scratchCopy = () => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'postern-arch-')));
	for (const part of ['src', 'package.json', 'eslint.config.js', '.dependency-cruiser.js']) {
		cpSync(join(projectRoot, part), join(root, part), { recursive: true });
	}
	symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'), 'junction');
	return {
		root,
		plant: (path: string, text: string) => {
			mkdirSync(dirname(join(root, path)), { recursive: true });
			writeFileSync(join(root, path), text);
		},
		remove: () => rmSync(root, { recursive: true, force: true })
	};
};

export type ScratchCopy = ReturnType<typeof scratchCopy>;
