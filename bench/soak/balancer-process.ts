import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A balancer in its own process. It learns of a restart only from its connections. */
export interface BalancerProcess {
	readonly address: string;
	/** Requests that got no response from an instance, as far as they are reported yet. */
	readonly troubles: readonly string[];
	serve(ports: readonly number[]): void;
	stop(): void;
}

export const startBalancerProcess = async (): Promise<BalancerProcess> => {
	const child = fork(fileURLToPath(new URL('./balancer-child.ts', import.meta.url)));
	const [address] = (await once(child, 'message')) as [string];
	const troubles: string[] = [];
	child.on('message', (more: readonly string[]) => troubles.push(...more));
	return {
		address,
		troubles,
		serve: (ports) => void child.send(ports),
		stop: () => child.disconnect()
	};
};
