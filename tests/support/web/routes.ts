import type { Action, RequestEvent } from '@sveltejs/kit';

/** What a file of a route exports. Pages have loads and actions, endpoints have methods. */
interface RouteModule {
	readonly load?: (event: RequestEvent) => unknown;
	readonly actions?: Readonly<Record<string, Action>>;
	readonly [method: string]: unknown;
}

/** A route of `src/routes`, as the framework finds it. */
interface Route {
	readonly id: string;
	readonly isPage: boolean;
	readonly module: RouteModule;
}

export interface MatchedRoute extends Route {
	readonly params: Readonly<Record<string, string>>;
}

const FOLDER = '../../../src/routes';

// Loaded before the first test, because loading takes longer than a test.
const modules = import.meta.glob<RouteModule>('../../../src/routes/**/+{page.server,server}.ts', {
	eager: true
});
const [layout] = Object.values(
	import.meta.glob<RouteModule>('../../../src/routes/+layout.server.ts', { eager: true })
);
/** Only their paths are used: a page without a load has no other file. */
const pages = import.meta.glob('../../../src/routes/**/+page.svelte');

const idOf = (file: string): string => file.slice(FOLDER.length, file.lastIndexOf('/')) || '/';

export const routes: readonly Route[] = [
	...Object.entries(modules).map(([file, module]) => {
		const isPage = file.endsWith('+page.server.ts');
		return { id: idOf(file), isPage, module };
	}),
	...Object.keys(pages)
		.filter((file) => modules[file.replace('+page.svelte', '+page.server.ts')] === undefined)
		.map((file) => ({ id: idOf(file), isPage: true, module: {} }))
];

/** The load of the root layout, which runs for every page. */
export const loadRootLayout = async (event: RequestEvent): Promise<object> =>
	(await layout?.load?.(event)) as object;

const isGroup = (segment: string): boolean => /^\(.*\)$/.test(segment);

const patternOf = ({ id }: Route): RegExp => {
	const segments = id.split('/').filter((segment) => segment !== '' && !isGroup(segment));
	const parts = segments.map((segment) =>
		segment.replace(/^\[\.\.\.(\w+)\]$/, '(?<$1>.*)').replace(/^\[(\w+)\]$/, '(?<$1>[^/]+)')
	);
	return new RegExp(`^/${parts.join('/')}$`);
};

/** As in the framework, a fixed path wins over a parameter, and a longer one over a shorter one. */
const byPriority = (one: Route, other: Route): number =>
	wildness(one) - wildness(other) || other.id.length - one.id.length;

const wildness = ({ id }: Route): number => (id.includes('[...') ? 2 : id.includes('[') ? 1 : 0);

const candidates = routes
	.toSorted(byPriority)
	.map((route) => ({ route, pattern: patternOf(route) }));

/** Returns null if no route has this path. */
export const routeOf = (pathname: string): MatchedRoute | null => {
	for (const { route, pattern } of candidates) {
		const match = pattern.exec(pathname);
		if (match !== null) return { ...route, params: { ...match.groups } };
	}
	return null;
};
