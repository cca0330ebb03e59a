import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';

/** The machine, versions, date and commit that the numbers depend on, one line each. */
export const describeMachine = (): readonly string[] => [
	`CPU: ${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
	`Memory: ${(totalmem() / 1024 ** 3).toFixed(1)} GiB`,
	`Node ${process.versions.node}, ${process.platform} ${release()}`,
	`Date: ${new Date().toISOString()}`,
	`Commit: ${commit()}`
];

const commit = (): string => {
	const git = (...args: string[]): string =>
		execFileSync('git', args, {
			cwd: import.meta.dirname,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore']
		}).trim();
	try {
		const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
		return git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : '');
	} catch {
		return 'unknown';
	}
};
