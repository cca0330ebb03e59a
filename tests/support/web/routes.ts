import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Action, RequestEvent, RequestHandler } from '@sveltejs/kit';
import { projectRoot } from '../files/scratch-copy.ts';

/** What a file of a route exports. Pages have loads and actions, endpoints have methods. */
export interface RouteModule {
	readonly load?: (event: RequestEvent) => unknown;
	readonly actions?: Readonly<Record<string, Action>>;
	readonly [method: string]: RequestHandler | unknown;
}

/** A route of `src/routes` that a path leads to. */
export interface Route {
	readonly id: string;
	readonly params: Readonly<Record<string, string>>;
	readonly isPage: boolean;
	readonly module: RouteModule;
}

const folder = join(projectRoot, 'src/routes');

interface Candidate {
	readonly id: string;
	readonly pattern: RegExp;
	readonly file: string | null;
	readonly isPage: boolean;
}

const candidates: readonly Candidate[] = [
	...new Set(globSync('**/+{page,server,page.server}.{ts,svelte}', { cwd: folder }).map(dirname))
]
	.map((place) => {
		const files = globSync('+{page.server,server}.ts', { cwd: join(folder, place) });
		const [file] = files;
		return {
			id: place === '.' ? '/' : `/${place}`,
			pattern: patternOf(place),
			file: file === undefined ? null : join(folder, place, file),
			isPage: file !== '+server.ts'
		};
	})
	// As in the framework, a fixed path wins over a parameter.
	.toSorted(
		(one, other) => wildness(one.id) - wildness(other.id) || other.id.length - one.id.length
	);

function patternOf(place: string): RegExp {
	const segments = place
		.split('/')
		.filter((segment) => segment !== '.' && !/^\(.*\)$/.test(segment));
	const parts = segments.map((segment) =>
		segment.replace(/^\[\.\.\.(\w+)\]$/, '(?<$1>.*)').replace(/^\[(\w+)\]$/, '(?<$1>[^/]+)')
	);
	return new RegExp(`^/${parts.join('/')}$`);
}

function wildness(id: string): number {
	return id.includes('[...') ? 2 : id.includes('[') ? 1 : 0;
}

/** Returns null if no route has this path. */
export const routeOf = async (pathname: string): Promise<Route | null> => {
	const found = candidates.find(({ pattern }) => pattern.test(pathname));
	if (found === undefined) return null;
	const { id, pattern, file, isPage } = found;
	const module = file === null ? {} : await moduleAt(file);
	return { id, params: { ...pattern.exec(pathname)?.groups }, isPage, module };
};

/** The load of the root layout, which runs for every page. */
export const rootLayout = (): Promise<RouteModule> => moduleAt(join(folder, '+layout.server.ts'));

const moduleAt = async (file: string): Promise<RouteModule> =>
	(await import(/* @vite-ignore */ file)) as RouteModule;
