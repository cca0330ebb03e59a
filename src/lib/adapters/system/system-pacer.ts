import type { Pacer } from '#lib/domain/pacer.ts';

/**
 * Long jobs pause for five times as long as each piece took. SQLite allows one writer at a time,
 * and a waiting process retries at growing intervals, so it must nearly always find the lock
 * free. With pauses as long as the pieces, a few in a thousand waited for more than 200 ms.
 */
const REST = 5;
/** Another process would not notice a shorter pause. */
const SHORTEST_REST_MS = 10;

export const systemPacer = (): Pacer => ({
	paced: async (piece) => {
		const began = performance.now();
		const given = await piece();
		const rest = Math.max(SHORTEST_REST_MS, REST * (performance.now() - began));
		await new Promise((resolve) => setTimeout(resolve, rest));
		return given;
	}
});
