import { operations } from './operations.ts';
import { withoutGroups } from './http/paths.ts';
import {
	countedAt,
	ofEndpoint,
	ofOperations,
	ofPage,
	UNMATCHED,
	type RouteRules
} from './edge/rules.ts';
import { endpointRules } from './endpoint-rules.ts';
import { pageRules } from './page-rules.ts';

const rulesByRoute = new Map<string, RouteRules>([
	...Object.entries(endpointRules).map(([id, rules]) => [id, ofEndpoint(id, rules)] as const),
	...[...Map.groupBy(operations, ({ path }) => path)].map(
		([id, all]) => [id, ofOperations(id, all)] as const
	),
	...Object.entries(pageRules).map(([id, rules]) => [id, ofPage(id, rules)] as const)
]);

const rulesByPath: ReadonlyMap<string, RouteRules> = new Map(
	[...rulesByRoute].map(([id, rules]) => [withoutGroups(id) || '/', rules])
);

/** The rules of a route, in one look-up: every check of every request reads them. */
export const rulesOf = (routeId: string | null): RouteRules => {
	if (routeId === null) return UNMATCHED;
	const known = rulesByRoute.get(routeId);
	if (known !== undefined) return known;
	const unlisted = ofUnlisted(routeId);
	// The build has a fixed number of routes, so this does not grow.
	rulesByRoute.set(routeId, unlisted);
	return unlisted;
};

/**
 * The rules of a route that no record names, because the build does not check types. A route that
 * only moved to another layout group keeps its rules. Any other gets the strictest.
 */
const ofUnlisted = (routeId: string): RouteRules => {
	const path = withoutGroups(routeId);
	const sameUrl = rulesByPath.get(path || '/');
	if (sameUrl !== undefined) return sameUrl;
	const access = routeId.split('/').includes('(public)') ? 'public' : 'by-path';
	const strict: RouteRules = { ...UNMATCHED, access, skipsSessionCache: true };
	return path.includes('[...') ? strict : { ...strict, bucket: path, counted: countedAt(path) };
};
