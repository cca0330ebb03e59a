import type { Sql as Client } from 'postgres';
import { CHANNEL, readChange } from '#lib/adapters/postgres/notification-listener.ts';
import type { ChangeFeed, Revoked } from '#lib/domain/sessions/ports.ts';

interface NaiveFeed extends ChangeFeed {
	stop(): Promise<void>;
}

/**
 * Listens as the driver’s own documentation shows. The driver reconnects and listens again by
 * itself, so the feed looks reliable from its first connection on.
 */
export const naiveFeed = async (client: Client): Promise<NaiveFeed> => {
	const listeners: ((id: Revoked) => void)[] = [];
	await client.listen(CHANNEL, (payload) => {
		const id = readChange(payload);
		if (id !== null) for (const tell of listeners) tell(id);
	});
	const since = performance.now();
	return {
		subscribe: (listener) => void listeners.push(listener),
		reliableSince: () => since,
		stop: () => client.end({ timeout: 0 })
	};
};
