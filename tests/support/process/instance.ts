import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILED } from './built-server.ts';
import { QUICK_DRIZZLE } from '../database/quick-drizzle.ts';
import { projectRoot } from '../files/scratch-copy.ts';

export interface HowToOpen {
	/** The folder that contains `drizzle/`; the project by default. */
	readonly cwd?: string;
	/** Migrates as the library's documentation does. */
	readonly naive?: boolean;
	/** A system user to switch to first, permanently, if the test runs as root. */
	readonly user?: number;
}

export interface OpenOrder extends HowToOpen {
	readonly url: string;
	readonly cwd: string;
}

/** A process that has loaded the program and opens databases on request, one at a time. */
export const startInstance = async () => {
	const script = fileURLToPath(new URL('opener.ts', import.meta.url));
	const child = spawn(process.execPath, [...QUICK_DRIZZLE, script], {
		env: { ...process.env, ...COMPILED },
		stdio: ['ignore', 'pipe', 'pipe', 'ipc']
	});
	const closed = once(child, 'close');
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const answer = async (): Promise<string | null> => {
		const [message] = (await Promise.race([once(child, 'message'), closed])) as [unknown];
		if (typeof message === 'object' && message !== null && 'refusal' in message) {
			return message.refusal as string | null;
		}
		if (message === 'loaded') return null;
		throw new Error(`the instance ended: ${output}`);
	};
	await answer();
	return {
		/** Opens (and migrates) a database; returns null once it is open, or the error. */
		open: (url: string, how?: HowToOpen) => {
			child.send({ cwd: projectRoot, ...how, url } satisfies OpenOrder);
			return answer();
		},
		/** Closes what it has open. */
		letGo: async () => {
			child.send('let go');
			await answer();
		},
		/** Its output so far. */
		output: () => output,
		/** kill -9. */
		kill: async () => {
			child.kill('SIGKILL');
			await closed;
		}
	};
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Opens a database once and closes it; returns null, or the error. */
export const openOnce = async (
	instance: Instance,
	url: string,
	how?: HowToOpen
): Promise<string | null> => {
	const refusal = await instance.open(url, how);
	if (refusal === null) await instance.letGo();
	return refusal;
};

/** Opens a database concurrently in several processes; returns the errors. */
export const openAtOnce = async (
	instances: readonly Instance[],
	url: string,
	how?: HowToOpen
): Promise<readonly string[]> => {
	const refusals = await Promise.all(instances.map((instance) => instance.open(url, how)));
	await Promise.all(instances.map((instance) => instance.letGo()));
	return refusals.filter((refusal) => refusal !== null);
};

/** The message of a failed start. */
export const startFault = (start: Promise<unknown>): Promise<string> =>
	start.then(
		() => 'it started',
		(error: unknown) => (error instanceof Error ? error.message : String(error))
	);
