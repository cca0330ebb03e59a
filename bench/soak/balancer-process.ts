import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A balancer in a process of its own. Nobody tells it of a restart: it learns from connections. */
export interface BalancerProcess {
	readonly address: string;
	/** What clients saw that was no answer of an instance, as far as it was told yet. */
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
