import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { programFile } from '../../../bin/lib/ensure-build.ts';
import type { BuiltServer } from './built-server.ts';

const numbered = (folder: string): readonly string[] =>
	readdirSync(folder).filter((name) => /^\d+$/.test(name));

/** The process of a server, as Linux lists it: the one that was started with its address. */
export const processOf = ({ address }: Pick<BuiltServer, 'address'>): number => {
	const found = numbered('/proc').find((pid) => {
		try {
			return (
				readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`AUTH_URL=${address}`) &&
				readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(programFile('start'))
			);
		} catch {
			// It has ended meanwhile, or belongs to another user.
			return false;
		}
	});
	if (found === undefined) throw new Error(`no process serves ${address}`);
	return Number(found);
};

/** How much memory a process uses, in megabytes. */
export const memoryOf = (pid: number): number => {
	const [, kilobytes] =
		/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Number(kilobytes) / 1024;
};

/** In milliseconds: the server closes its own sockets sooner. */
const REST = 300;

/** A count once it is stable: connections closed here may still be open there. */
export const settled = async (count: () => number): Promise<number> => {
	for (let before = count(); ;) {
		await pause(REST);
		const now = count();
		if (now === before) return now;
		before = now;
	}
};
