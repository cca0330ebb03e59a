import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small separate disk, which a test can fill. */
export interface SmallDisk {
	readonly folder: string;
	/** Uses up every free byte. */
	fill(): void;
	/** Frees what `fill` used. */
	free(): void;
	remove(): void;
}

const run = (program: string, args: readonly string[]): void =>
	void execFileSync(program, args, { stdio: 'ignore' });

/** Null if the user may not mount one, as in most containers. */
export const mountSmallDisk = (megabytes: number): SmallDisk | null => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-disk-'));
	try {
		run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
	} catch {
		rmSync(folder, { recursive: true });
		return null;
	}
	const filler = join(folder, 'filler');
	return {
		folder,
		fill: () => {
			const file = openSync(filler, 'w');
			try {
				for (;;) writeSync(file, Buffer.alloc(4096));
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
			} finally {
				closeSync(file);
			}
		},
		free: () => rmSync(filler),
		remove: () => {
			// Also while a failed test has a file open there.
			run('umount', ['-l', folder]);
			rmSync(folder, { recursive: true });
		}
	};
};

/** Prevents a running process from writing any file beyond this many bytes. */
export const limitFiles = (pid: number, bytes: number | null): void =>
	run('prlimit', [`--pid=${pid}`, `--fsize=${bytes ?? 'unlimited'}:`]);
