import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodeProblem } from '#lib/config/node-version.js';

describe('the version of Node', () => {
	test.each(['22.18.0', '22.21.1', '23.6.0', '23.11.1', '24.0.0', '24.21.0', '26.0.0'])(
		'%s is supported: it runs TypeScript without a flag',
		(version) => expect(nodeProblem(version)).toBeNull()
	);

	test.each(['18.20.8', '20.19.5', '21.7.3', '22.9.0', '22.17.1', '23.0.0', '23.5.0'])(
		'%s is refused',
		(version) =>
			expect(nodeProblem(version)).toBe(
				`Node ${version} is too old: run "npm start", which brings its own, or use Node 22.18 or later, but not 23.0 to 23.5.`
			)
	);

	test('has the same bounds in package.json', () => {
		const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
			readonly engines: unknown;
		};
		expect(engines).toEqual({ node: '^22.18 || >=23.6' });
	});
});
