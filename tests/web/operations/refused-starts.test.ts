import { describe, expect, test } from 'vitest';
import { readConfig } from '#lib/config.server.ts';

const TEST_SECRET = 'k3J0v9Qm2Xc7Tz1Rb8Wn4Ys6Lp5Hd0Gf_aUeIoNq';

const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
	const usual = { AUTH_SECRET: TEST_SECRET, AUTH_URL: 'http://localhost:3000', PORT: '3000' };
	const read = readConfig({ ...usual, ...env });
	return read.ok ? [] : read.error;
};

// The lines that a start prints. tests/http/operations/start.test.ts starts the server.
describe('a start that is refused', () => {
	test.each([
		['N01 without a secret', { AUTH_SECRET: '' }, 'AUTH_SECRET', 'openssl rand -base64 33'],
		[
			'D02 with http on a public host',
			{ AUTH_URL: 'http://auth.example.org' },
			'AUTH_URL',
			'https'
		],
		[
			'with a METRICS_TOKEN that can be guessed',
			{ METRICS_TOKEN: 'prometheus' },
			'METRICS_TOKEN',
			'openssl'
		],
		[
			'with a domain without @ in FORWARD_ALLOW',
			{ FORWARD_ALLOW: 'example.org' },
			'FORWARD_ALLOW',
			'@example.org'
		],
		[
			'with * among others in FORWARD_ALLOW',
			{ FORWARD_ALLOW: '*,@example.org' },
			'FORWARD_ALLOW',
			'Write * '
		],
		[
			'with a pattern in FORWARD_ALLOW',
			{ FORWARD_ALLOW: '@*.example.org' },
			'FORWARD_ALLOW',
			'list'
		],
		[
			'with FORWARD_ALLOW but no proxy',
			{ FORWARD_ALLOW: '*', AUTH_TRUSTED_PROXIES: 'none' },
			'FORWARD_ALLOW',
			'AUTH_TRUSTED_PROXIES'
		],
		['without AUTH_URL', { AUTH_URL: '' }, 'AUTH_URL', 'https://'],
		[
			'with a path in AUTH_URL',
			{ AUTH_URL: 'https://example.org/auth' },
			'AUTH_URL',
			'https://example.org'
		],
		[
			'J07 with a CIDR prefix that is too long',
			{ AUTH_TRUSTED_PROXIES: '10.0.0.0/33' },
			'AUTH_TRUSTED_PROXIES',
			'10.0.0.0/8'
		],
		[
			'J07 with every address as a proxy',
			{ AUTH_TRUSTED_PROXIES: '0.0.0.0/0' },
			'AUTH_TRUSTED_PROXIES',
			'none'
		],
		[
			'with a wildcard origin',
			{ AUTH_TRUSTED_ORIGINS: 'https://*.example.org' },
			'AUTH_TRUSTED_ORIGINS',
			'wildcard'
		],
		[
			'with an unsupported database',
			{ DATABASE_URL: 'mysql://root:pa55word@db/x' },
			'DATABASE_URL',
			'postgres://'
		],
		[
			'R10 with PostgreSQL on another machine and sslmode=disable',
			{ DATABASE_URL: 'postgres://u:pa55word@db.example.org/x?sslmode=disable' },
			'DATABASE_URL',
			'DATABASE_TLS=off'
		],
		[
			'R10 with a missing DATABASE_CA file',
			{ DATABASE_CA: '/nonexistent/ca.pem' },
			'DATABASE_CA',
			'PEM'
		],
		['R10 with an invalid DATABASE_TLS', { DATABASE_TLS: 'no' }, 'DATABASE_TLS', 'on or off'],
		['with a port out of range', { PORT: '70000' }, 'PORT', '65535'],
		...['', 'production'].map((mode): [string, Record<string, string>, string, string] => [
			`N03 on https with codes on the console and NODE_ENV=${mode}`,
			{ NODE_ENV: mode, AUTH_URL: 'https://auth.example.org' },
			'EMAIL_API_KEY',
			'EMAIL_CONSOLE=allow'
		])
	])('%s prints one line with the variable, the reason and the remedy', (_, env, name, mend) => {
		const lines = problemsOf(env);
		expect(lines).toHaveLength(1);
		const [, variable, why = '', remedy = ''] =
			/^([A-Z_]+): (.+?)\. (.+)$/.exec(lines[0] ?? '') ?? [];
		expect(variable).toBe(name);
		expect(why.length).toBeGreaterThan(10);
		expect(remedy).toContain(mend);
		expect(lines.join()).not.toMatch(/pa55word|\n|\bat .+:\d+:\d+|Error:/);
	});
});
