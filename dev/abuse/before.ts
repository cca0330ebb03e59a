import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from '../../bin/fresh-build.ts';

/**
 * A folder with a build of an earlier commit. `given` is the commit, or a folder that contains its
 * build. The dependencies are those of this checkout.
 */
export const buildBefore = (given: string): string => {
	if (existsSync(given)) return resolve(given);
	const folder = mkdtempSync(join(tmpdir(), 'postern-before-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const archive = execFileSync('git', ['archive', given], { maxBuffer: 2 ** 28 });
	execFileSync('tar', ['x', '-C', folder], { input: archive });
	symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
	build(folder);
	return folder;
};
