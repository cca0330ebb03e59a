import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDialogue, type Dialogue } from './dialogue.ts';
import { freePort } from '../../support/process/free-port.ts';
import {
	bearer,
	call,
	newAddress,
	rounds,
	sendCode,
	signIn,
	times,
	freshCode,
	whoIs,
	wrongCode,
	API
} from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const windows = process.platform === 'win32';
const runs = (...commands: readonly string[]): boolean =>
	commands.every((command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0);

const pathTo = (command: string): string =>
	spawnSync('bash', ['-c', `command -v ${command}`], { encoding: 'utf8' }).stdout.trim();

interface Example {
	readonly name: string;
	readonly command: readonly string[];
	/** How it takes the server address. */
	readonly at: (address: string) => readonly string[];
	/** What it prints on success. */
	readonly says: (email: string) => readonly string[];
	/** Why it cannot run on this machine; the project requires only git and Node. */
	readonly missing: string | null;
}

const CLI = ['examples/node-cli/postern.mjs'];
const curl: Example = {
	name: 'curl',
	command: ['bash', 'examples/curl/sign-in.sh'],
	at: (address) => [address],
	says: (email) => [`Hello, ${email}`, 'Signed out.'],
	// On Windows, bash may run in a separate machine with its own localhost.
	missing: !windows && runs('bash', 'curl') ? null : 'no bash and curl'
};
const node: Example = {
	name: 'node-cli',
	command: [process.execPath, ...CLI, 'sign-in'],
	at: (address) => ['--server', address],
	says: () => ['Signed in. Your token is in ', 'If your system has a keychain'],
	missing: null
};
const python: Example = {
	name: 'python',
	command: ['python3', 'examples/python/postern.py'],
	at: (address) => [address],
	says: (email) => [`Hello, ${email}`, 'Signed out.'],
	missing: runs('python3') ? null : 'no python3'
};
const examples = [curl, node, python];

for (const { name, missing } of examples) {
	// Printed, because a skipped test shows as a single character only.
	if (missing !== null) console.log(`examples/${name} not run: ${missing}`);
}

/** The shape of a token; a UUID is shorter. */
const TOKEN = /[\w-]{43}/;

const folder = mkdtempSync(join(tmpdir(), 'postern-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let homes = 0;
const newHome = (): string => {
	homes += 1;
	return join(folder, `home-${homes}`);
};

const startAt = (
	address: string,
	{ command, at }: Pick<Example, 'command' | 'at'>,
	env: Record<string, string> = {},
	home = newHome()
) => {
	const [program = '', ...args] = [...command, ...at(address)];
	return openDialogue(program, args, { XDG_CONFIG_HOME: home, APPDATA: home, ...env });
};

/** The result of a dialogue. */
const outcome = async (run: Dialogue): Promise<{ code: number | null; output: string }> => ({
	code: await run.ended,
	output: run.output()
});

onOneServer((fixture) => {
	// All calls come from this machine, and a client may check 30 codes in a minute.
	beforeEach(() => fixture.server.passMonotonic(60));

	/** Enters the email address, a wrong code, then the right one. */
	const enter = async (run: Dialogue, email: string): Promise<void> => {
		const before = fixture.server.codesSentTo(email);
		run.answer(email);
		const code = await fixture.server.codeFor(email, before + 1);
		run.answer(wrongCode(code));
		await run.shows('That code is not right. Try again.');
		run.answer(code);
	};

	/** Wrappers of the programs of the shell script. Each records its arguments. */
	const bin = mkdtempSync(join(folder, 'bin-'));
	const recorder = (): Record<string, string> => {
		for (const name of ['curl', 'sed', 'grep', 'tr', 'cut', 'tail', 'paste']) {
			const note = `printf '%s\\n' "${name} $*" >> '${join(bin, 'arguments')}'`;
			writeFileSync(join(bin, name), `#!/bin/sh\n${note}\nexec ${pathTo(name)} "$@"\n`, {
				mode: 0o755
			});
		}
		return { PATH: `${bin}${delimiter}${process.env['PATH']}` };
	};
	/** Neither the code nor the token was an argument of a process, which others can see. */
	const expectUnrecorded = async (email: string): Promise<void> => {
		const recorded = readFileSync(join(bin, 'arguments'), 'utf8');
		expect(recorded.match(/^curl .*\/api\//gm)).toHaveLength(6);
		expect(recorded).not.toMatch(TOKEN);
		expect(recorded).not.toContain(await fixture.server.codeFor(email));
	};

	const sessionsOf = async (email: string): Promise<number> => {
		const { token } = await signIn(fixture.server, email);
		const list = await call(fixture.server, `${API}/list-sessions`, { headers: bearer(token) });
		// Do not count the session of this call.
		return (list.json() as unknown[]).length - 1;
	};

	describe.each(examples)('$name', (example) => {
		const needed = test.skipIf(example.missing !== null);

		needed(
			'T01 reports a wrong code, signs in with the right one, prints the account and never the token, and is a known device from then on',
			async () => {
				const [email, home] = [newAddress(), newHome()];
				const start = (of: Pick<Example, 'command' | 'at'>) =>
					startAt(fixture.server.address, of, example === curl ? recorder() : {}, home);
				const run = start(example);
				await enter(run, email);
				const { code, output } = await outcome(run);
				for (const text of example.says(email)) expect(output).toContain(text);
				expect(code).toBe(0);
				expect(output).not.toMatch(TOKEN);
				if (example === curl) await expectUnrecorded(email);
				if (example === node) {
					const signOut = start({ ...node, command: [process.execPath, ...CLI, 'sign-out'] });
					expect((await outcome(signOut)).code).toBe(0);
				}
				expect(await sessionsOf(email)).toBe(0);
				// It and the sign-in above took two of the five sends that unknown clients share.
				for (const _ of times(3, () => 0)) await freshCode(fixture.server, email);
				expect((await sendCode(fixture.server, email)).status).toBe(429);
				const again = start(example);
				await enter(again, email);
				expect((await outcome(again)).code).toBe(0);
				if (windows) return;
				const keys = readdirSync(join(home, 'postern-example'));
				for (const name of keys) {
					expect(statSync(join(home, 'postern-example', name)).mode & 0o777).toBe(0o600);
				}
			}
		);

		needed('prints how long to wait after the fifth code', async () => {
			const email = newAddress();
			for (const _ of times(5, () => 0)) await freshCode(fixture.server, email);
			const run = startAt(fixture.server.address, example);
			run.answer(email);
			run.hangUp();
			const { code, output } = await outcome(run);
			expect(output).toMatch(/Too many requests\. Try again in \d+ seconds\./);
			expect(code).toBe(1);
		});

		needed('reports when no attempts are left', async () => {
			const email = newAddress();
			const run = startAt(fixture.server.address, example);
			run.answer(email);
			const right = await fixture.server.codeFor(email);
			for (const step of times(6, (index) => index + 1)) run.answer(wrongCode(right, step));
			const { code, output } = await outcome(run);
			expect(output).toMatch(/no longer works|Too many attempts/);
			expect(code).toBe(1);
		});

		needed(
			'ends with one message when its input is closed or the server does not respond',
			async () => {
				const silent = startAt(fixture.server.address, example);
				silent.hangUp();
				const alone = startAt(`http://localhost:${await freePort()}`, example);
				alone.answer(newAddress());
				const [typed, answered] = await Promise.all([outcome(silent), outcome(alone)]);
				expect(typed).toEqual({ code: 1, output: expect.stringContaining('No input, so') });
				expect(answered).toEqual({
					code: 1,
					output: expect.stringContaining('No response from http://localhost:')
				});
				expect(typed.output + answered.output).not.toMatch(/^\s+at |Traceback/m);
			}
		);
	});

	describe('node-cli, signed in', () => {
		const runIn = (home: string, command: string, address = fixture.server.address) =>
			openDialogue(process.execPath, [...CLI, command, '--server', address], {
				XDG_CONFIG_HOME: home,
				APPDATA: home
			});
		const folderIn = (home: string): string => join(home, 'postern-example');
		const filesIn = (home: string): string[] =>
			readdirSync(folderIn(home))
				.filter((name) => !name.endsWith('.client'))
				.map((name) => join(folderIn(home), name));

		test('stores one token that only its owner can read, sends it to no other server, and deletes it at sign-out and when its session has ended', async () => {
			const [home, email] = [newHome(), newAddress()];
			const signIn = runIn(home, 'sign-in');
			await enter(signIn, email);
			expect(await signIn.ended).toBe(0);
			const path = filesIn(home)[0] ?? '';
			const token = readFileSync(path, 'utf8').trim();
			expect(token).toMatch(TOKEN);
			expect(await whoIs(fixture.server, bearer(token))).toBe(email);
			expect(filesIn(home)).toHaveLength(1);

			const other = runIn(home, 'whoami', `http://localhost:${await freePort()}`);
			const plain = runIn(home, 'whoami', 'http://auth.example.org');
			expect((await outcome(other)).output).toBe('You are not signed in.\n');
			expect((await outcome(plain)).output).toContain('use https');
			if (!windows) {
				expect(statSync(path).mode & 0o777).toBe(0o600);
				expect(statSync(folderIn(home)).mode & 0o777).toBe(0o700);
				chmodSync(path, 0o640);
				for (const command of ['whoami', 'sessions', 'sign-out', 'sign-in'].slice(rounds(2, 0))) {
					expect(await outcome(runIn(home, command))).toEqual({
						code: 1,
						output: expect.stringMatching(/^Others can read .*, so it is not used/)
					});
				}
				chmodSync(path, 0o600);
			}

			const [who, list, again] = await Promise.all(
				['whoami', 'sessions', 'sign-in'].map((command) => outcome(runIn(home, command)))
			);
			expect(who).toEqual({ code: 0, output: expect.stringContaining(`${email}, until `) });
			expect(list?.output).toMatch(/ {2}postern-example-cli .*\(this one\)\n$/);
			expect(again).toEqual({ code: 1, output: 'You are signed in. Sign out first.\n' });
			expect(`${who?.output}${list?.output}`).not.toMatch(TOKEN);

			expect(await outcome(runIn(home, 'sign-out'))).toEqual({ code: 0, output: 'Signed out.\n' });
			expect(filesIn(home)).toEqual([]);
			expect(await whoIs(fixture.server, bearer(token))).toBeNull();
			expect(await outcome(runIn(home, 'whoami'))).toEqual({
				code: 1,
				output: 'You are not signed in.\n'
			});
			for (const command of ['whoami', 'sessions']) {
				writeFileSync(path, token, { mode: 0o600 });
				expect(await outcome(runIn(home, command))).toEqual({
					code: 1,
					output: 'Your session has ended. Sign in again.\n'
				});
				expect(filesIn(home)).toEqual([]);
			}
		});
	});
});

describe('a server with PROOF_OF_WORK=on', () => {
	onOneServer(
		(fixture) => {
			const askForCode = (example: Example) => {
				const email = newAddress();
				const run = startAt(fixture.server.address, example);
				run.answer(email);
				return { email, run };
			};

			test('node-cli solves its challenge', async () => {
				const { email, run } = askForCode(node);
				run.answer(await fixture.server.codeFor(email));
				expect((await outcome(run)).code).toBe(0);
			});

			for (const example of [curl, python]) {
				test.skipIf(example.missing !== null)(`${example.name} says what it lacks`, async () => {
					const { code, output } = await outcome(askForCode(example).run);
					expect(output).toContain('This server asks for a proof of work');
					expect(code).toBe(1);
				});
			}
		},
		{ PROOF_OF_WORK: 'on' }
	);
});

describe('a server that is not available', () => {
	let down: Server;
	let address = '';
	beforeAll(async () => {
		down = createServer((_request, response) => {
			response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' });
			response.end('{"message":"Service unavailable","code":"SERVICE_UNAVAILABLE"}');
		});
		const port = await freePort();
		await new Promise<void>((resolve) => down.listen(port, '127.0.0.1', resolve));
		address = `http://localhost:${port}`;
	});
	afterAll(() => down.close());

	for (const example of examples) {
		test.skipIf(example.missing !== null)(`${example.name} reports it`, async () => {
			const run = startAt(address, example);
			run.answer(newAddress());
			const { code, output } = await outcome(run);
			expect(output).toMatch(/The server is unavailable\. Try again in 7|Service unavailable/);
			expect(code).toBe(1);
		});
	}
});
