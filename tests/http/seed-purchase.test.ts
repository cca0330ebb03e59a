import { expect, test } from 'vitest';
import { openBrowser, textOf } from '../support/http/browser.ts';
import { newAddress } from '../support/http/client.ts';
import { onOneServer, present } from '../support/http/fixtures.ts';
import { runScript } from '../support/process/run-program.ts';

onOneServer((fixture) => {
	test('seed:purchase prints the URL of the page that claims it', async () => {
		const run = await runScript(fixture.server, 'seed-purchase', [
			'--email',
			newAddress('buyer'),
			'--product',
			'A year of Postern'
		]);
		expect([run.code, run.stderr]).toEqual([0, '']);
		const url = new URL(present(/https?:\S+/.exec(run.stdout)?.[0]));
		expect(url.origin).toBe(fixture.server.address);
		const page = await openBrowser(fixture.server).open(url.pathname + url.search);
		expect([page.status, textOf(page.text).includes('A year of Postern')]).toEqual([200, true]);
	});

	test('seed:purchase refuses an invalid email address', async () => {
		const bad = await runScript(fixture.server, 'seed-purchase', ['--email', 'nobody']);
		expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('"nobody"')]);
		expect(bad.stderr).not.toMatch(/\n\s+at /);
	});

	test('seed:purchase explains a wrong command in one line', async () => {
		for (const args of [[], ['--email'], ['--mail', newAddress('buyer')], ['stray']]) {
			const wrong = await runScript(fixture.server, 'seed-purchase', args);
			expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^\[postern\] .+\n$/)]);
		}
	});
});
