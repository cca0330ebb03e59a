import { describe, expect, it } from 'vitest';
import { logoutWorker } from '#lib/adapters/web/oidc/logout-worker.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { EndedGrant, GrantId, OidcStore } from '#lib/domain/oidc/ports.ts';
import type { OidcClientId, UserId } from '#lib/domain/ids.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';
import { at } from '../stores/examples.ts';

const HOUR = 3600;

const anEndedGrant = (clientId: string, attempt: number): EndedGrant => ({
	id: clientId as GrantId,
	userId: 'user' as UserId,
	clientId: clientId as OidcClientId,
	attempt
});

/** A worker for one ended grant, whose application never answers. Each poll happens when it is due. */
const attemptsOf = async (options: { readonly logoutUri?: string } = {}) => {
	const attempts: number[] = [];
	const logged: string[] = [];
	let now = at(0);
	let due: Date | null = at(0);
	let ended = (): void => undefined;
	const removed = new Promise<void>((resolve) => (ended = resolve));
	const store: Partial<OidcStore> = {
		leaseEnded: async () => {
			if (due === null) return [];
			now = due;
			due = null;
			attempts.push((now.getTime() - at(0).getTime()) / 1000);
			return [anEndedGrant('app', attempts.length)];
		},
		retryEnded: async (_, next) => void (due = next),
		removeEnded: async () => ended()
	};
	const worker = logoutWorker({
		oidcStore: store as OidcStore,
		clock: { now: () => now },
		after: (_, run) => {
			const timer = setImmediate(run);
			return () => clearImmediate(timer);
		},
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

	it('a store fault of one does not let the worker end before the others', async () => {
		const timing = fakeTiming();
		const logged: string[] = [];
		const due = ['failing', 'slow'].map((clientId) => anEndedGrant(clientId, 1));
		let isTold = false;
		const store: Partial<OidcStore> = {
			leaseEnded: async () => due.splice(0),
			removeEnded: async ({ id }) => {
				if (id === 'failing') throw new StoreUnavailable('gone');
				isTold = true;
			}
		};
		const worker = logoutWorker({
			oidcStore: store as OidcStore,
			clock: { now: () => at(0) },
			after: timing.after,
			log: { event: () => undefined, fault: (where) => logged.push(where) },
			clientOf: async (id) => ({
				...(id === 'slow' && { backchannelLogoutUri: 'https://app.example.org/logout' }),
				backchannelLogout: () => new Promise((resolve) => timing.after(500, resolve))
			})
		});
		worker.start();
		await timing.advance(1);
		expect(logged).toEqual(['oidc logout']);
		const ended = worker.stop().then(() => isTold);
		await timing.advance(1000);
		expect(await ended).toBe(true);
	});
});
