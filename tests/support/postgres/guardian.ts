// Waits until the process that started it ends, in whatever way (its end of the pipe closes), and
// then removes the server it left behind.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const home = process.argv[2];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const kill = (pid: number, signal: NodeJS.Signals | 0): boolean => {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
};

process.stdin.resume().on('close', async () => {
	if (home === undefined) return;
	const lock = join(home, 'data', 'postmaster.pid');
	if (existsSync(lock)) {
		const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
		kill(pid, 'SIGQUIT');
		// A test may have stopped it.
		kill(pid, 'SIGCONT');
		for (let tries = 0; tries < 100 && kill(pid, 0); tries += 1) await pause(50);
	}
	rmSync(home, { recursive: true, force: true });
	process.exit();
});
