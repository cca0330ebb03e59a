import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failedStart } from '../../support/process/run-program.ts';

describe('a start that is refused', () => {
	test('N01 D02 J07 all problems are reported together, one line each, and no secret is repeated', async () => {
		const { code, stdout, lines } = await failedStart({
			AUTH_SECRET: 'hunter2hunter2',
			AUTH_URL: 'auth.example.org',
			AUTH_TRUSTED_PROXIES: '10.0.0.0/33',
			DATABASE_URL: 'mysql://root:pa55word@db/x',
			PORT: 'x'
		});
		expect([code, stdout]).toEqual([1, '']);
		expect(lines.map((line) => /^\[postern\] ([A-Z_]+): /.exec(line)?.[1]).sort()).toEqual([
			'AUTH_SECRET',
			'AUTH_TRUSTED_PROXIES',
			'AUTH_URL',
			'DATABASE_URL',
			'PORT'
		]);
		expect(lines.join()).not.toMatch(/hunter2|pa55word/);
	});

	test('a port in use is reported in one line, without a stack', async () => {
		const holder = createServer();
		await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
		const { port } = holder.address() as { port: number };
		const folder = mkdtempSync(join(tmpdir(), 'postern-test-'));
		const { code, lines } = await failedStart({
			PORT: String(port),
			HOST: '127.0.0.1',
			DATABASE_URL: `file:${join(folder, 'postern.db')}`
		});
		rmSync(folder, { recursive: true });
		await new Promise((resolve) => holder.close(resolve));
		expect(code).toBe(1);
		expect(lines).toEqual([
			expect.stringMatching(/^\[postern\] could not start: .*PORT.*EADDRINUSE/)
		]);
	});
});

describe('an unsupported Node', () => {
	const tooOld = (version: string) =>
		`[postern] Node ${version} is too old: run "npm start", which brings its own, or use Node 22.18 or later, but not 23.0 to 23.5.`;
	test('recognised by its version, is refused in one line before anything is loaded', async () => {
		const version = '22.17.1';
		const versions = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
		const { code, stdout, lines } = await failedStart({}, versions);
		expect([code, stdout, lines]).toEqual([1, '', [tooOld(version)]]);
	});
});
