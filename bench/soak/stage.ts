import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../tests/support/postgres/cluster.ts';
import { startPostern, type ServerProcess } from '../server-process.ts';
import { startBalancerProcess } from './balancer-process.ts';
import { startMailProcess, type MailedCode } from './mail-process.ts';

/** Two instances on one database behind a balancer, and a mail server. Each is a process. */
export interface Stage {
	/** The address of the balancer, for clients. */
	readonly address: string;
	readonly instances: readonly ServerProcess[];
	readonly troubles: readonly string[];
	stop(): Promise<void>;
}

const INSTANCES = 2;

export const setStage = async (
	on: 'sqlite' | 'postgres',
	onCode: (mailed: MailedCode) => void
): Promise<Stage> => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-soak-'));
	// Flushes to the disk, as a production server does.
	const postgres = on === 'postgres' ? await startPostgres({ fsync: true }) : null;
	const databaseUrl = (await postgres?.createDatabase()) ?? `file:${join(folder, 'postern.db')}`;
	const mail = await startMailProcess(onCode);
	const balancer = await startBalancerProcess();
	const instances: ServerProcess[] = [];
	const stop = async (): Promise<void> => {
		balancer.stop();
		for (const instance of instances) await instance.stop();
		mail.stop();
		await postgres?.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		while (instances.length < INSTANCES) {
			const env = { AUTH_URL: balancer.address };
			instances.push(await startPostern({ databaseUrl, smtpPort: mail.port, env }));
		}
	} catch (error) {
		await stop();
		throw error;
	}
	balancer.serve(instances.map(({ url }) => Number(new URL(url).port)));
	return { address: balancer.address, instances, troubles: balancer.troubles, stop };
};
