import { readFileSync } from 'node:fs';
import type { Operation } from '#lib/adapters/web/api/operation.ts';
import { operations } from '#lib/adapters/web/operations.ts';
import { limitsOf } from '#lib/adapters/web/edge/limits/limits-of-request.ts';
import { mayUseSessionCache } from '#lib/adapters/web/edge/session/load-session.ts';
import type { PageRules } from '#lib/adapters/web/edge/rules.ts';
import { endpointRules, rulesOf } from '#lib/adapters/web/route-rules.ts';
import { pageRules } from '#lib/adapters/web/page-rules.ts';
import { isSafeMethod } from '#lib/adapters/web/http/paths.ts';
import { isPublic, PUBLIC_PREFIXES } from '#lib/adapters/web/edge/guard.ts';

// Prints every route with what protects it, which limits count it, and whether it queries the
// store: npm run routes

interface Handler {
	readonly route: string;
	/** `any`: the route handles every method in the same way. */
	readonly method: string;
	/** The name of the form action. */
	readonly action?: string;
	readonly session?: Operation['session'];
}

/** What the file of an endpoint exports. Rules that name methods would look as if they restrict them. */
const methodsOf = (route: string): readonly string[] => {
	const text = readFileSync(`src/routes${route}/+server.ts`, 'utf8');
	return text.match(/(?<=^export [^=]*)\b(?:GET|POST|PUT|PATCH|DELETE)\b/gm) ?? ['any'];
};

/** All handlers of the application: pages, form actions and methods of endpoints. */
const handlers: readonly Handler[] = [
	...Object.entries<PageRules>(pageRules).flatMap(([route, { actions = {} }]) => [
		{ route, method: 'GET' } as const,
		...Object.keys(actions).map((action) => ({ route, method: 'POST', action }) as const)
	]),
	...operations.map(({ path: route, method, session }) => ({ route, method, session })),
	...Object.keys(endpointRules).flatMap((route) =>
		methodsOf(route).map((method) => ({ route, method }))
	)
].sort((one, other) => (one.route < other.route ? -1 : Number(one.route > other.route)));

/** Calls the same functions as the checks of a request, so the table shows what they do. */
const cellsOf = ({ route, method, action, session }: Handler): readonly string[] => {
	const sent = method === 'any' ? 'GET' : method;
	const rules = rulesOf(route);
	const target = { routeId: route, pathname: route };
	const limits = limitsOf({ method: sent, rules, pathname: route, action: () => action ?? '' }).map(
		({ name }) => name
	);
	const isGuarded = session === 'required' || !isPublic(rules, target, 'split');
	const protection = [
		isGuarded ? 'session' : 'public',
		...(rules.access === 'operator' ? ['operator'] : []),
		...(isSafeMethod(sent) ? [] : ['origin']),
		...(action === undefined ? [] : ['form token'])
	];
	return [
		route,
		action === undefined || action === 'default' ? method : `${method} ?/${action}`,
		protection.join(', '),
		limits.join(', ') || 'none',
		mayUseSessionCache(sent, rules, new URL('http://localhost')) ? 'unless cached' : 'always'
	];
};

const HEADER = ['ROUTE', 'METHOD', 'PROTECTED BY', 'LIMITS', 'QUERIES THE STORE'];

const rows = [HEADER, ...handlers.map(cellsOf)];
const widths = HEADER.map((_, column) =>
	Math.max(...rows.map((row) => (row[column] ?? '').length))
);
const lines = rows.map((row) =>
	row
		.map((cell, column) => cell.padEnd(widths[column] ?? 0))
		.join('  ')
		.trimEnd()
);
console.log(`${lines.join('\n')}

A path that matches no route needs a session, except under ${PUBLIC_PREFIXES.join(', ')}.
The default limit counts each route separately.
Unless cached: a session that a cache still has is not read again.`);
