import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import { bearer, call, ME, sendCode, signIn, verifyCode } from '../../tests/support/http/client.ts';

/** The time between two visitors, in milliseconds. */
const PACE = 20;
/** A new connection for each request, as new visitors have. */
const fresh = { connection: 'close' };

export interface Traffic {
	/** The times of all responses since the last call, in milliseconds, shortest first. */
	take(): readonly number[];
	readonly errors: readonly string[];
	stop(): Promise<void>;
}

/**
 * Simulates visitors of a small site at an even rate, however slow the responses are. Six in ten
 * request their session, and two request a code. One signs in, which is two requests.
 */
export const startTraffic = async (server: BuiltServer): Promise<Traffic> => {
	const { token } = await signIn(server, 'visitor@example.com');
	const errors: string[] = [];
	const underWay = new Set<Promise<void>>();
	let times: number[] = [];
	let number = 0;
	const timed = async <T extends { readonly status: number }>(
		request: () => Promise<T>
	): Promise<T> => {
		const began = performance.now();
		const answer = await request();
		times.push(performance.now() - began);
		if (answer.status !== 200) errors.push(String(answer.status));
		return answer;
	};
	const visit = async (turn: number): Promise<void> => {
		const email = `visitor-${turn}@example.com`;
		if (turn % 10 < 6)
			await timed(() => call(server, ME, { headers: { ...bearer(token), ...fresh } }));
		else if (turn % 10 < 8) await timed(() => sendCode(server, email, fresh));
		else if (turn % 10 === 8) {
			await timed(() => sendCode(server, email, fresh));
			const code = await server.codeFor(email);
			await timed(() => verifyCode(server, email, code, fresh));
		}
	};
	const timer = setInterval(() => {
		const pending = visit((number += 1))
			.catch((error: unknown) => void errors.push(String(error)))
			.finally(() => underWay.delete(pending));
		underWay.add(pending);
	}, PACE);
	return {
		take: () => {
			const taken = times.toSorted((one, other) => one - other);
			times = [];
			return taken;
		},
		errors,
		stop: async () => {
			clearInterval(timer);
			await Promise.all(underWay);
		}
	};
};
