import { describe, expect, it } from 'vitest';
import type { SessionId } from '#lib/domain/ids.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { isDueForRefresh, isFreshlySignedIn, newSession } from '#lib/domain/sessions/session.ts';
import {
	aRequestSource,
	aHash,
	anId,
	aSession,
	secondsFromStart,
	start
} from '../../support/domain/builders.ts';

const opened = (userAgent: string): string =>
	newSession(anId<SessionId>(), aHash(), aRequestSource({ userAgent }), start, defaultPolicy)
		.userAgent;

describe('a session', () => {
	it('lives sixty days from its opening', () => {
		expect(newSession(anId<SessionId>(), aHash(), aRequestSource(), start, defaultPolicy)).toEqual({
			id: anId(),
			tokenHash: aHash(),
			ipAddress: '192.0.2.1',
			userAgent: 'a browser',
			createdAt: start,
			expiresAt: secondsFromStart(60 * 24 * 3600)
		});
	});

	it('keeps 512 characters of a user agent, and no character that PostgreSQL cannot store', () => {
		expect(opened('x'.repeat(512))).toHaveLength(512);
		expect(opened('x'.repeat(513))).toHaveLength(512);
		expect(opened('a\0b\ud800c\udc00d')).toBe('abcd');
		expect(opened('😀')).toBe('😀');
		// The cut may split a surrogate pair; its first half alone cannot be stored.
		expect(opened('x'.repeat(511) + '😀')).toBe('x'.repeat(511));
	});

	it('is fresh for fifteen minutes from its sign-in, and never before it', () => {
		const { freshFor } = defaultPolicy.session;
		const fresh = (seconds: number): boolean =>
			isFreshlySignedIn({ createdAt: start }, secondsFromStart(seconds), defaultPolicy);
		expect([-1, 0, freshFor - 1, freshFor].map(fresh)).toEqual([false, true, true, false]);
	});

	it('M13: is not due when the clock was set back', () => {
		const ahead = aSession({ updatedAt: secondsFromStart(3 * 24 * 3600) });
		expect(isDueForRefresh(ahead, start, defaultPolicy)).toBe(false);
	});
});
