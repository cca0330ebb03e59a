import { describe, expect, it } from 'vitest';
import { logoutWorker } from '#lib/adapters/web/oidc/logout-worker.ts';
import type { EndedGrant, GrantId, OidcStore } from '#lib/domain/oidc/ports.ts';
import type { OidcClientId, UserId } from '#lib/domain/ids.ts';
import { at } from '../stores/examples.ts';

const HOUR = 3600;

/** A worker for one ended grant, whose application never answers. Each poll happens when it is due. */
const attemptsOf = async (options: { readonly logoutUri?: string } = {}) => {
	const attempts: number[] = [];
	const logged: string[] = [];
	let now = at(0);
	let due: Date | null = at(0);
	let poll = (): void => undefined;
	let ended = (): void => undefined;
	const removed = new Promise<void>((resolve) => (ended = resolve));
	const store: Partial<OidcStore> = {
		leaseEnded: async () => {
			if (due === null) return [];
			now = due;
			due = null;
			const grant = {
				id: 'grant' as GrantId,
				userId: 'user' as UserId,
				clientId: 'app' as OidcClientId
			};
			attempts.push((now.getTime() - at(0).getTime()) / 1000);
			return [{ ...grant, attempt: attempts.length } satisfies EndedGrant];
		},
		retryEnded: async (_, next) => void (due = next),
		removeEnded: async () => ended()
	};
	const worker = logoutWorker({
		oidcStore: store as OidcStore,
		clock: { now: () => now },
		after: (_, run) => ((poll = run), setImmediate(() => poll()), () => undefined),
		log: { event: (name) => logged.push(name), fault: (where) => logged.push(where) },
		clientOf: async () => ({
			...(options.logoutUri !== undefined && { backchannelLogoutUri: options.logoutUri }),
			backchannelLogout: async () => Promise.reject(new Error('no answer'))
		})
	});
	worker.start();
	await removed;
	await worker.stop();
	return { attempts, logged };
};

describe('telling applications that a session has ended', () => {
	it('pauses longer after each failure, and gives up after 24 hours', async () => {
		const { attempts, logged } = await attemptsOf({ logoutUri: 'https://app.example.org/logout' });
		expect(attempts.slice(0, 5)).toEqual([0, 10, 30, 70, 150]);
		const pauses = attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0));
		expect(Math.max(...pauses)).toBe(HOUR);
		expect(attempts.at(-1)).toBeGreaterThanOrEqual(24 * HOUR);
		expect(attempts.at(-2)).toBeLessThan(24 * HOUR);
		expect(logged.at(-1)).toBe('oidc_logout_given_up');
	});

	it('an application without a URI is not told', async () => {
		expect(await attemptsOf()).toMatchObject({ attempts: [0], logged: [] });
	});
});
