import type { EndpointRouteId, PageRouteId } from '$app/types';
import type { LimitName } from './edge/limits/client-limits.ts';
import type { Operation } from './api/operation.ts';
import type { DescribedRoute } from './operations.ts';

/** What an endpoint needs that no operation describes. */
export interface EndpointRules {
	/** `session`: the guard answers unauthenticated callers with 401. */
	readonly access: 'public' | 'session';
	/** The methods that `npm run routes` lists. Absent: it handles every method in the same way. */
	readonly methods?: readonly Operation['method'][];
	/**
	 * The limit that counts its requests. Null: no limit under `/api`; elsewhere, changes count against
	 * the default limit. `unmatched`: requests count like those that match no route.
	 */
	readonly limit: LimitName | 'unmatched' | null;
	/** Reading never uses a cached session. Other methods always query the store. */
	readonly skipsSessionCache?: true;
}

/**
 * The rules of every endpoint without an operation. It does not compile while an endpoint has
 * neither. To add an endpoint of your own, add one line.
 */
export const endpointRules = {
	'/(public)/manifest.webmanifest': { access: 'public', methods: ['GET'], limit: null },
	'/api/hooks/mail/[provider]': { access: 'public', methods: ['POST'], limit: 'default' },
	'/api/[...path]': { access: 'session', limit: 'unmatched' },
	'/api/auth/[...path]': { access: 'public', limit: 'unmatched' }
} as const satisfies Record<Exclude<EndpointRouteId, DescribedRoute | PageRouteId>, EndpointRules>;
