import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

const REMOVAL = 'docker volume rm postern_database';
const blocks = readFileSync(join(projectRoot, 'docs/operating.md'), 'utf8').matchAll(
	/^```sh\n(.+?)^```$/gms
);
/** The commands that replace the volume of an earlier `compose.yaml`. */
const recipe = [...blocks]
	.map(([, commands = '']) => commands)
	.find((all) => all.includes(REMOVAL));

/** Stands in for `docker`: records its arguments, and fails where the test says. */
const DOCKER = `#!/bin/sh
echo "docker $*" >> calls
case "docker $*" in *"$FAILS"*) exit 1 ;; esac
`;

describe('the commands that replace the volume of the database', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'postern-recipe-'));
		writeFileSync(join(folder, 'docker'), DOCKER, { mode: 0o755 });
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	/** The docker calls, when the command with these words fails. */
	const callsWhenFailing = (words: string): readonly string[] => {
		spawnSync('/bin/sh', ['-c', recipe ?? ''], {
			cwd: folder,
			env: { PATH: `${folder}:/usr/bin:/bin`, FAILS: words }
		});
		return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
	};

	it('remove it after a backup was made and read, and restore into a new one', () => {
		const calls = callsWhenFailing('nothing');
		const place = (words: string): number => calls.findIndex((call) => call.includes(words));
		const order = ['pg_dump', 'pg_restore --file=/dev/null', REMOVAL, '--dbname=postern'].map(
			place
		);
		expect(order).not.toContain(-1);
		expect(order).toEqual(order.toSorted((one, other) => one - other));
	});

	it.each(['compose stop', 'pg_dump', 'pg_restore --file=/dev/null', 'compose down'])(
		'keep it when an earlier command fails: %s',
		(words) => {
			const calls = callsWhenFailing(words);
			expect(calls.at(-1)).toContain(words);
			expect(calls).not.toContain(REMOVAL);
		}
	);
});
