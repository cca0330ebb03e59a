import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guideSample } from '../../support/docs/guide-sample.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	OUT,
	sendCode,
	signIn,
	times,
	whoIs
} from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

type WhoAsks = (
	authorization: string | undefined,
	clientAddress: string
) => Promise<{ email: string } | null>;

describe('programs of the guides', () => {
	onOneServer((fixture) => {
		let folder = '';
		const written = (name: string, text: string): string => {
			const file = join(folder, name);
			writeFileSync(file, text);
			return file;
		};
		beforeAll(() => {
			folder = mkdtempSync(join(tmpdir(), 'postern-samples-'));
		});
		afterAll(() => rmSync(folder, { recursive: true, force: true }));

		/** Runs the command-line tool and answers its prompts. */
		const run = async (
			args: readonly string[],
			answers: Readonly<Record<string, () => Promise<string>>> = {}
		): Promise<{ code: number | null; output: string }> => {
			const file = written(
				'sign-in.mjs',
				guideSample('command-line', 'sign-in.mjs', fixture.server.address)
			);
			const env = { PATH: process.env['PATH'], HOME: folder, USERPROFILE: folder };
			const child = spawn(process.execPath, [file, ...args], { env });
			let output = '';
			const requested = new Set<string>();
			const hear = async (text: string): Promise<void> => {
				output += text;
				for (const [question, answer] of Object.entries(answers)) {
					if (requested.has(question) || !output.includes(question)) continue;
					requested.add(question);
					child.stdin.write(`${await answer()}\n`);
				}
			};
			for (const stream of [child.stdout, child.stderr]) {
				stream.setEncoding('utf8').on('data', (text: string) => void hear(text));
			}
			const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
			return { code, output };
		};

		test('the command-line tool signs in, stays signed in, and signs out', async () => {
			const email = newAddress();
			const signedIn = await run([], {
				'Email address: ': async () => email,
				'Code from the email: ': () => fixture.server.codeFor(email)
			});
			expect(signedIn.output).toContain(`Signed in as ${email}`);
			expect(signedIn.code).toBe(0);

			const kept = join(folder, '.sign-in-token');
			const token = readFileSync(kept, 'utf8');
			expect(await whoIs(fixture.server, bearer(token))).toBe(email);
			for (const file of [kept, join(folder, '.sign-in-client')]) {
				if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
			}

			expect(await run([])).toEqual({ code: 0, output: `Signed in as ${email}\n` });
			expect(await run(['sign-out'])).toEqual({ code: 0, output: '' });
			expect(await whoIs(fixture.server, bearer(token))).toBeNull();

			// Its key stays, so others cannot keep it out.
			for (const _ of times(4, () => 0)) await freshCode(fixture.server, email);
			const before = fixture.server.codesSentTo(email);
			const again = await run([], {
				'Email address: ': async () => email,
				'Code from the email: ': () => fixture.server.codeFor(email, before + 1)
			});
			expect(again.output).toContain(`Signed in as ${email}`);
			expect((await sendCode(fixture.server, email)).status).toBe(429);
			expect((await run(['sign-out'])).code).toBe(0);
		});

		test('the command-line tool reports the error and fails', async () => {
			const { code, output } = await run([], { 'Email address: ': async () => 'nobody' });
			expect(code).toBe(1);
			expect(output).toContain('Invalid email');
		});

		test('another backend finds the user of a request and caches it', async () => {
			const file = written(
				'current-user.mjs',
				guideSample('other-backends', 'current-user.mjs', fixture.server.address)
			);
			const { currentUser } = (await import(pathToFileURL(file).href)) as { currentUser: WhoAsks };
			const { email, token } = await signIn(fixture.server);
			const authorization = `Bearer ${token}`;

			expect(await currentUser(authorization, '203.0.113.7')).toMatchObject({ email });
			expect(await currentUser(undefined, '203.0.113.7')).toBeNull();
			expect(await currentUser('Bearer of-nobody', '203.0.113.7')).toBeNull();
			await call(fixture.server, OUT, { method: 'POST', headers: bearer(token) });
			expect(await currentUser(authorization, '203.0.113.7')).toMatchObject({ email });
		});
	});
});
