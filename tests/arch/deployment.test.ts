import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matchesGlob } from 'node:path/posix';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SERVER_FLAGS } from '../../bin/lib/ensure-build.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');
const ignored = read('.dockerignore');
const proxy = read('deploy/Caddyfile');
const databaseScript = read('deploy/database.sql');

interface Instruction {
	readonly name: string;
	readonly text: string;
}

/** The instructions of the last stage, which is the one that runs. */
const lastStage = (file: string): readonly Instruction[] => {
	const lines = file.replace(/^\s*#.*\n/gm, '').replace(/\\\n/g, ' ');
	const all = [...lines.matchAll(/^([A-Z]+)\s+(.+)$/gm)].map(([, name = '', text = '']) => ({
		name,
		text: text.trim()
	}));
	return all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
};

/** The files that a stage, or all of them, copies from the project’s folder. */
const copiedBy = (instructions: readonly Instruction[]): readonly string[] =>
	instructions
		.filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
		.flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
const allInstructions = (file: string): readonly Instruction[] =>
	file.split(/^(?=FROM )/m).flatMap(lastStage);

/** For Docker a leading dot is an ordinary character. */
const undotted = (path: string): string => path.replace(/(^|\/)\./g, '$1dot-');

/** As Docker reads the file: the last line that matches a path or a parent folder decides. */
const isIgnored = (path: string, file: string): boolean => {
	const parts = path.split('/');
	const above = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
	let verdict = false;
	for (const line of file.split('\n')) {
		if (line === '' || line.startsWith('#')) continue;
		const pattern = line.replace(/^!/, '');
		const names = (one: string): boolean => matchesGlob(undotted(one), undotted(pattern));
		if (above.some(names)) verdict = !line.startsWith('!');
	}
	return verdict;
};

/** How the image starts the server. Node is the first process, so that it receives signals. */
const START = JSON.stringify(['node', ...SERVER_FLAGS, 'build/server/start.js']).replaceAll(
	',',
	', '
);

/** The project files in the image, besides the build and its packages. */
const IN_IMAGE = ['package.json', 'LICENSE', 'drizzle'];

interface Service {
	readonly image?: string;
	readonly user?: string;
	readonly environment?: Readonly<Record<string, string>>;
	readonly volumes?: readonly string[];
	readonly healthcheck?: { readonly test?: readonly string[] };
	readonly networks?: readonly string[] | Readonly<Record<string, { ipv4_address?: string }>>;
	readonly ports?: readonly string[];
	readonly cap_drop?: readonly string[];
	readonly security_opt?: readonly string[];
	readonly read_only?: boolean;
	readonly restart?: string;
	readonly stop_grace_period?: string;
}
interface Network {
	readonly internal?: boolean;
	readonly ipam?: { readonly config: readonly { subnet: string; ip_range: string }[] };
}
interface Compose {
	readonly services: Readonly<Record<string, Service>>;
	readonly networks: Readonly<Record<string, Network | null>>;
}

const isIn = (address: string, range: string): boolean =>
	ipaddr.parse(address).match(ipaddr.parseCIDR(range));

/** Linters read files; this one checks what they do not. */
const lintCompose = (text: string): readonly string[] => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-arch-'));
	try {
		const path = join(folder, 'compose.yaml');
		writeFileSync(path, text);
		const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
		const messages = linter.lintFiles([path], false).flatMap(({ messages }) => messages);
		return messages.map(({ line, rule, message }) => `${line} ${rule}: ${message}`);
	} finally {
		rmSync(folder, { recursive: true });
	}
};

const lintDockerfile = (text: string): readonly string[] =>
	validate(text).map(({ range, message }) => `${range.start.line + 1}: ${message}`);

describe('the container image', () => {
	it('N08 N09 its Dockerfile passes the linter and the checks of its contents', () => {
		expect(lintDockerfile(dockerfile)).toEqual([]);
		const stage = lastStage(dockerfile);
		const last = (wanted: string): string =>
			stage.findLast(({ name }) => name === wanted)?.text ?? '';
		expect(last('USER')).toMatch(/^[1-9]\d*(?::|$)/);
		expect(last('CMD')).toBe(START);
		expect(last('STOPSIGNAL')).toBe('SIGTERM');
		expect(last('HEALTHCHECK')).toMatch(/CMD \["node", .*\/healthz/);
		expect(last('ENV')).toMatch(/\bNODE_ENV=production\b/);
		expect(last('ENV')).toMatch(/\bDATABASE_URL=file:\/data\//);
		expect(last('VOLUME')).toBe('/data');
		const built = stage.filter(({ text }) => /^--from=build /.test(text)).map(({ text }) => text);
		expect(built.join('\n')).toContain('/app/build');
		const copied = copiedBy(stage);
		expect(copied).toContain('drizzle');
		expect(IN_IMAGE).toEqual(expect.arrayContaining([...copied]));
		for (const path of ['.env', 'data/postern.db', 'src/.env']) {
			expect([path, isIgnored(path, ignored)]).toEqual([path, true]);
		}
		const missing = copiedBy(allInstructions(dockerfile)).filter(
			(path) => !existsSync(join(projectRoot, path)) || isIgnored(path, ignored)
		);
		expect(missing).toEqual([]);
	});
});

it('npm start and the unit of the handbook run Node with the flags of the image', () => {
	const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
		readonly scripts: { readonly start: string };
	};
	expect(scripts.start).toBe(['node', ...SERVER_FLAGS, 'bin/postern.js start'].join(' '));
	expect(read('docs/operating.md')).toContain(
		`/.bin/node ${SERVER_FLAGS.join(' ')} build/server/start.js\n`
	);
});

describe('the services of compose.yaml', () => {
	const { services, networks } = parse(compose, { merge: true }) as Compose;
	const instances = Object.entries(services).filter(([name]) => name.startsWith('postern-'));

	it('N09 J01 M14 they pass the linter and the checks of their isolation, health and shutdown', () => {
		expect(lintCompose(compose)).toEqual([]);
		for (const [name, service] of Object.entries(services)) {
			expect(service, name).toMatchObject({ read_only: true, restart: 'unless-stopped' });
			expect(service.cap_drop, name).toContain('ALL');
			expect(service.security_opt, name).toContain('no-new-privileges:true');
			expect(service.healthcheck?.test?.length, name).toBeGreaterThan(1);
			expect(service.user, name).not.toBe('root');
			if (name !== 'proxy') expect(service.ports, name).toBeUndefined();
		}
		const at = services['proxy']?.networks as Record<string, { ipv4_address?: string }>;
		const proxyAddress = at['web']?.ipv4_address ?? '';
		for (const [name, { environment, stop_grace_period = '', networks: its }] of instances) {
			expect(environment?.['AUTH_TRUSTED_PROXIES'], name).toBe(proxyAddress);
			// Longer than the shutdown of the server.
			expect(parseInt(stop_grace_period), name).toBeGreaterThan(15);
			expect(its, name).not.toContain('edge');
		}
		expect(instances.length).toBeGreaterThan(1);
		const [web] = networks['web']?.ipam?.config ?? [];
		expect(isIn(proxyAddress, web?.subnet ?? '')).toBe(true);
		// No instance may get the address of the proxy.
		expect(isIn(proxyAddress, web?.ip_range ?? '')).toBe(false);
		expect([networks['web']?.internal, networks['data']?.internal]).toEqual([true, true]);
		const upstreams = instances.map(([name]) => `${name}:3000`).join(' ');
		expect(proxy).toContain(`reverse_proxy ${upstreams} {`);
		for (const line of ['health_uri /readyz', 'lb_try_duration', 'header_up -X-Real-IP']) {
			expect(proxy).toContain(line);
		}
	});

	it('N09 the user of the database owns it and is no superuser', () => {
		const { environment = {}, volumes = [], networks: its = [] } = services['database'] ?? {};
		const superuser = environment['POSTGRES_USER'] ?? 'postgres';
		const statements = databaseScript.replace(/^--.*$/gm, '');
		expect(volumes.join('\n')).toMatch(
			/^\.\/deploy\/database\.sql:\/docker-entrypoint-initdb\.d\/[\w.-]+\.sql:ro$/m
		);
		const passwords = Object.entries(environment).filter(([name]) => name.endsWith('PASSWORD'));
		expect(passwords).not.toEqual([]);
		for (const [, value] of passwords) expect(value).toMatch(/^\$\{\w+:\?/);
		expect(statements).toContain(`password :'password'`);
		expect(statements).toContain(`alter role ${superuser} password null;`);
		for (const [name, { environment: settings = {} }] of instances) {
			const user = /^postgres:\/\/(\w+):/.exec(settings['DATABASE_URL'] ?? '')?.[1] ?? '';
			expect(user, name).not.toBe(superuser);
			expect(statements).toContain(`create role ${user} login nosuperuser nocreatedb nocreaterole`);
			expect(statements).toContain(`create database postern owner ${user};`);
			// Without TLS only over a network that nothing else is on: the other one has internet access.
			if (settings['DATABASE_TLS'] === 'off') expect(String(its), name).toBe('data');
		}
	});
});
