import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface MailedCode {
	readonly email: string;
	readonly code: string;
}

/** A mail server in its own process, so that it does not slow the process of the load. */
export interface MailProcess {
	readonly port: number;
	stop(): void;
}

/** Calls `onCode` for each email with a code, some milliseconds after it arrived. */
export const startMailProcess = async (
	onCode: (mailed: MailedCode) => void = () => undefined
): Promise<MailProcess> => {
	const child = fork(fileURLToPath(new URL('./mail-child.ts', import.meta.url)));
	const [port] = (await once(child, 'message')) as [number];
	child.on('message', (codes: readonly MailedCode[]) => codes.forEach(onCode));
	return { port, stop: () => void child.disconnect() };
};
