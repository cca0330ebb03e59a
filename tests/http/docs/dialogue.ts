import { spawn } from 'node:child_process';
import { projectRoot } from '../../support/files/scratch-copy.ts';

const TIMEOUT_MS = 20_000;

/** A program with terminal prompts, here on pipes. */
export const openDialogue = (
	command: string,
	args: readonly string[],
	env: Readonly<Record<string, string>> = {}
) => {
	const child = spawn(command, args, {
		cwd: projectRoot,
		env: { ...process.env, ...env },
		stdio: ['pipe', 'pipe', 'pipe']
	});
	let output = '';
	const looks = new Set<() => void>();
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
			for (const look of looks) look();
		});
	}
	// A program that has ended reads no more lines; its output has the reason.
	child.stdin.on('error', () => undefined);
	const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
	const ended = new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => {
			clearTimeout(timer);
			resolve(code);
		});
	});
	return {
		/** Types a line. */
		answer: (line: string) => void child.stdin.write(`${line}\n`),
		/** Closes its input. */
		hangUp: () => child.stdin.end(),
		/** Waits until it has printed this. */
		shows: (text: string) =>
			new Promise<void>((resolve, reject) => {
				const look = (): void => {
					if (!output.includes(text)) return;
					looks.delete(look);
					resolve();
				};
				looks.add(look);
				look();
				void ended.then(() => reject(new Error(`ended without “${text}”:\n${output}`)), reject);
			}),
		/** All its output, on either stream. */
		output: () => output,
		/** Its exit code, when it has ended. */
		ended
	};
};

export type Dialogue = ReturnType<typeof openDialogue>;
