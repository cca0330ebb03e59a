import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../files/scratch-copy.ts';

/** A route as the build's manifest lists it. */
export interface Route {
	readonly id: string;
	readonly page: { readonly leaf: number } | null;
	readonly endpoint: (() => Promise<Readonly<Record<string, unknown>>>) | null;
}

interface PageNode {
	readonly server?: { readonly actions?: Readonly<Record<string, unknown>> };
}

interface Manifest {
	readonly nodes: readonly (() => Promise<PageNode>)[];
	readonly routes: readonly Route[];
	readonly prerendered_routes?: ReadonlySet<string>;
}

const readManifest = async (): Promise<Manifest> => {
	const file = join(projectRoot, 'build', 'server', 'manifest.js');
	const { manifest } = (await import(pathToFileURL(file).href)) as {
		manifest: Partial<Manifest> & { _?: Manifest };
	};
	const found = manifest._ ?? manifest;
	if (found.routes === undefined) throw new Error('the build’s manifest lists no routes');
	return found as Manifest;
};

/** From the build itself, so that a test covers everything it serves. */
export const builtRoutes = async (): Promise<readonly Route[]> => {
	const { routes, prerendered_routes } = await readManifest();
	// A prerendered page is public and runs no hook.
	const prerendered = [...(prerendered_routes ?? [])].map((id) => ({
		id,
		page: null,
		endpoint: null
	}));
	return [...routes, ...prerendered];
};

/** A path that leads to the route. */
export const pathOf = (id: string): string =>
	`/${id
		.split('/')
		.filter((segment) => segment !== '' && !/^\(.*\)$/.test(segment))
		.map((segment) => segment.replace(/\[\[?(?:\.\.\.)?[^\]]+\]\]?/, 'no-such-thing'))
		.join('/')}`;

/** A request that may change state: a method of an endpoint, or an action of a page. */
export interface Change {
	readonly kind: 'endpoint' | 'form';
	/** The id of its route. */
	readonly route: string;
	readonly method: string;
	/** With the query that names the action. */
	readonly path: string;
	/** The name of the action; null for endpoints. */
	readonly action: string | null;
}

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Every change for which the build has a handler. */
export const builtChanges = async (): Promise<readonly Change[]> => {
	const { nodes, routes } = await readManifest();
	const changes = await Promise.all(
		routes.map(async ({ id, page, endpoint }): Promise<readonly Change[]> => {
			const path = pathOf(id);
			const methods = endpoint === null ? [] : Object.keys(await endpoint());
			const node = page === null ? undefined : await nodes[page.leaf]?.();
			return [
				...methods
					.filter((method) => CHANGING.includes(method))
					.map((method) => ({ kind: 'endpoint' as const, route: id, method, path, action: null })),
				...Object.keys(node?.server?.actions ?? {}).map((action) => ({
					kind: 'form' as const,
					route: id,
					method: 'POST',
					path: action === 'default' ? path : `${path}?/${action}`,
					action
				}))
			];
		})
	);
	return changes.flat();
};
