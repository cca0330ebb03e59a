import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { call, signIn } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { TEST_SECRET } from '../../support/process/built-server.ts';

interface Rules {
	readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}
interface Dashboard {
	readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const read = (file: string): string => readFileSync(join(projectRoot, 'deploy', file), 'utf8');
const expressions = [
	...(parse(read('alerts.yml')) as Rules).groups.flatMap(({ rules }) => rules),
	...(JSON.parse(read('grafana-dashboard.json')) as Dashboard).panels.flatMap(
		({ targets }) => targets
	)
].map(({ expr }) => expr);

const METRIC = /\b(?:http|postern|nodejs|process)_\w+/g;
const GROUPED = /\bby \(([^)]*)\)/g;
const MATCHED = /[{,]\s*(\w+)(?:!?=|=~)/g;

onOneServer(
	(fixture) => {
		test('every metric and label of the dashboard and the alerts exists', async () => {
			await signIn(fixture.server, 'ada@gmail.com');
			await call(fixture.server, '/api/auth/no-such-path');
			const headers = { authorization: `Bearer ${TEST_SECRET}` };
			const { status, text } = await call(fixture.server, '/metrics', { headers });
			expect(status).toBe(200);
			expect(expressions.length).toBeGreaterThan(20);
			for (const expression of expressions) {
				for (const [name] of expression.matchAll(METRIC)) {
					expect(text).toMatch(new RegExp(`^${name}(?:\\{| )`, 'm'));
				}
				const labels = [
					...[...expression.matchAll(GROUPED)].flatMap(([, names = '']) => names.split(/,\s*/)),
					...[...expression.matchAll(MATCHED)].map(([, name = '']) => name)
				];
				// Prometheus adds the job.
				for (const label of labels.filter((one) => one !== 'job')) {
					expect(text).toMatch(new RegExp(`[{,]${label}="`));
				}
			}
		});
	},
	{ METRICS_TOKEN: TEST_SECRET }
);
