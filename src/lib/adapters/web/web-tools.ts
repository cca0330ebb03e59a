import { SHELL_ORIGINS } from '#lib/config/addresses.ts';
import type { Config } from '#lib/config.server.ts';
import type { Clock } from '#lib/domain/ports/clock.ts';
import type { Sealer } from '#lib/domain/ports/sealer.ts';
import type { Signer } from '#lib/domain/ports/signer.ts';
import { clientAddressReader, type AddressSource } from './client-address.ts';
import { requestLimits, type RequestLimits } from './request-limits.ts';
import { revokedSessions, type RevokedSessions } from './revoked-sessions.ts';
import { sessionCache, type SessionCache } from './session-cache.ts';

/** What the edge needs beside the use-cases; made once per process. */
export interface WebTools {
	/** Our own origin and those that may act like it. */
	readonly trustedOrigins: ReadonlySet<string>;
	/** Web origins a form of ours may lead to by a redirect. */
	readonly formTargets: readonly string[];
	readonly clientAddress: (source: AddressSource) => string;
	readonly limits: RequestLimits;
	readonly sessionCache: SessionCache;
	readonly revokedSessions: RevokedSessions;
	readonly formSigner: Signer;
}

export const webTools = (
	{ origin, trustedOrigins, trustedProxies }: Config,
	{ clock, sealer, signer }: { clock: Clock; sealer: Sealer; signer: Signer }
): WebTools => ({
	trustedOrigins: new Set([origin, ...trustedOrigins]),
	formTargets: trustedOrigins.filter((one) => /^https?:/.test(one) && !SHELL_ORIGINS.includes(one)),
	clientAddress: clientAddressReader(trustedProxies),
	limits: requestLimits(clock),
	sessionCache: sessionCache(sealer),
	revokedSessions: revokedSessions(),
	formSigner: signer
});
