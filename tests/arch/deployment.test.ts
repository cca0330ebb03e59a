import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matchesGlob } from 'node:path/posix';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SERVER_FLAGS } from '../../bin/fresh-build.ts';
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

/** What the image lacks or exposes. */
const brokenInImage = (file: string, ignore: string): readonly string[] => {
	const stage = lastStage(file);
	const last = (wanted: string): string =>
		stage.findLast(({ name }) => name === wanted)?.text ?? '';
	const built = stage.filter(({ text }) => /^--from=build /.test(text)).map(({ text }) => text);
	const [user = ''] = last('USER').split(':');
	const missing = copiedBy(allInstructions(file)).filter(
		(path) => !existsSync(join(projectRoot, path)) || isIgnored(path, ignore)
	);
	return [
		...(/^[1-9]\d*$/.test(user) ? [] : ['its user is not a numeric id above 0']),
		...(last('CMD') === START ? [] : [`it is not started by ${START}`]),
		...(last('STOPSIGNAL') === 'SIGTERM' ? [] : ['it is not stopped by SIGTERM']),
		...(/CMD \["node", .*\/healthz/.test(last('HEALTHCHECK'))
			? []
			: ['it has no health check of /healthz']),
		...(/\bNODE_ENV=production\b/.test(last('ENV')) ? [] : ['it does not run in production mode']),
		...(/\bDATABASE_URL=file:\/data\//.test(last('ENV')) ? [] : ['its database is not in /data']),
		...(last('VOLUME') === '/data' ? [] : ['/data is not a volume']),
		...(built.some((text) => text.includes('/app/build')) ? [] : ['the image lacks the build']),
		...(copiedBy(stage).includes('drizzle') ? [] : ['the image lacks the migrations']),
		...copiedBy(stage)
			.filter((path) => !IN_IMAGE.includes(path))
			.map((path) => `the image contains ${path}`),
		...['.env', 'data/postern.db', 'src/.env'].filter((path) => !isIgnored(path, ignore)),
		...missing
	];
};

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

/** The permissions of the database user besides owning its database. */
const brokenInDatabase = (text: string, script: string): readonly string[] => {
	const { services } = parse(text, { merge: true }) as Compose;
	const { environment = {}, volumes = [], networks: its = [] } = services['database'] ?? {};
	const superuser = environment['POSTGRES_USER'] ?? 'postgres';
	const passwords = Object.entries(environment).filter(([name]) => name.endsWith('PASSWORD'));
	const statements = script.replace(/^--.*$/gm, '');
	const isMounted = volumes.some((volume) =>
		/^\.\/deploy\/database\.sql:\/docker-entrypoint-initdb\.d\/[\w.-]+\.sql:ro$/.test(volume)
	);
	const instances = Object.entries(services).filter(([name]) => name.startsWith('postern-'));
	return [
		...(isMounted ? [] : ['the script that creates the user is not mounted']),
		...(passwords.length > 0 && passwords.every(([, value]) => /^\$\{\w+:\?/.test(value))
			? []
			: ['a password is not from the environment']),
		...(/password :'password'/.test(statements) ? [] : ['a password is in the script']),
		...(statements.includes(`alter role ${superuser} password null;`)
			? []
			: ['the superuser signs in over the network']),
		...instances.flatMap(([name, { environment: settings = {} }]) => {
			const user = /^postgres:\/\/(\w+):/.exec(settings['DATABASE_URL'] ?? '')?.[1] ?? '';
			const role = new RegExp(`create role ${user} login nosuperuser nocreatedb nocreaterole`);
			return [
				...(user !== superuser && role.test(statements) ? [] : [`${name} is a superuser`]),
				...(statements.includes(`create database postern owner ${user};`)
					? []
					: [`${name} does not own its database`]),
				// The other network of an instance has internet access.
				...(settings['DATABASE_TLS'] !== 'off' || String(its) === 'data'
					? []
					: [`${name} reaches the database without TLS over a shared network`])
			];
		})
	];
};

/** What the services lack or expose. */
const brokenInCompose = (text: string, proxyConfig: string): readonly string[] => {
	const { services, networks } = parse(text, { merge: true }) as Compose;
	const instances = Object.entries(services).filter(([name]) => name.startsWith('postern-'));
	const at = (services['proxy']?.networks ?? {}) as Record<string, { ipv4_address?: string }>;
	const proxyAddress = at['web']?.ipv4_address ?? '';
	const { subnet = '0.0.0.0/0', ip_range = '0.0.0.0/0' } = networks['web']?.ipam?.config[0] ?? {};
	const upstreams = instances.map(([name]) => `${name}:3000`).join(' ');
	return [
		...Object.entries(services).flatMap(([name, service]) => [
			...(service.read_only === true ? [] : [`${name} may write to its image`]),
			...(service.cap_drop?.includes('ALL') ? [] : [`${name} keeps capabilities`]),
			...(service.security_opt?.includes('no-new-privileges:true')
				? []
				: [`${name} may gain privileges`]),
			...((service.healthcheck?.test?.length ?? 0) > 1 ? [] : [`${name} has no health check`]),
			...(service.restart === 'unless-stopped' ? [] : [`${name} does not restart`]),
			...(name === 'proxy' || service.ports === undefined ? [] : [`${name} publishes a port`]),
			...(service.user === 'root' ? [`${name} runs as root`] : [])
		]),
		...instances.flatMap(([name, { environment = {}, stop_grace_period = '', networks: in_ }]) => [
			...(environment['AUTH_TRUSTED_PROXIES'] === proxyAddress
				? []
				: [`${name} does not trust exactly the proxy`]),
			...(parseInt(stop_grace_period) > 15 ? [] : [`${name} is killed before its shutdown ends`]),
			...(Array.isArray(in_) && !in_.includes('edge') ? [] : [`${name} is on the public network`])
		]),
		...(instances.length > 1 ? [] : ['there are fewer than two instances']),
		...(isIn(proxyAddress, subnet) ? [] : ['the proxy has no address in the web network']),
		...(isIn(proxyAddress, ip_range) ? ['an instance may get the address of the proxy'] : []),
		...['web', 'data'].filter((name) => networks[name]?.internal !== true),
		...(proxyConfig.includes(`reverse_proxy ${upstreams} {`)
			? []
			: ['the proxy does not forward to exactly the instances']),
		...['health_uri /readyz', 'lb_try_duration', 'header_up -X-Real-IP'].filter(
			(line) => !proxyConfig.includes(line)
		)
	];
};

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
		expect(brokenInImage(dockerfile, ignored)).toEqual([]);
	});
});

it('npm start runs Node with the flags of the image', () => {
	const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
		readonly scripts: { readonly start: string };
	};
	expect(scripts.start).toBe(['node', ...SERVER_FLAGS, 'bin/postern.js start'].join(' '));
});

describe('the services of compose.yaml', () => {
	it('N09 J01 M14 they pass the linter and the checks of their isolation, health and shutdown', () => {
		expect(lintCompose(compose)).toEqual([]);
		expect(brokenInCompose(compose, proxy)).toEqual([]);
	});

	it('N09 the user of the database owns it and is no superuser', () => {
		expect(brokenInDatabase(compose, databaseScript)).toEqual([]);
	});
});
