import { spawnSync } from 'node:child_process';

const hasCurl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0;

/** Runs a documented command as a reader would; without curl, sends the same request. */
export const runCurl = async (command: string): Promise<unknown> => {
	if (!hasCurl) return sendAsCurl(command);
	const { status, stdout, stderr } = spawnSync(
		'sh',
		['-c', command.replaceAll('curl ', 'curl -sS ')],
		{ encoding: 'utf8' }
	);
	if (status !== 0) throw new Error(`${status}: ${stderr}`);
	return JSON.parse(stdout) as unknown;
};

const sendAsCurl = async (command: string): Promise<unknown> => {
	const token = /TOKEN='([^']*)'/.exec(command)?.[1] ?? '';
	const [, url = ''] = /(http\S+)/.exec(command) ?? [];
	const body = /-d '([^']*)'/.exec(command)?.[1];
	const headers = [...command.matchAll(/-H ['"]([^:]+): ([^'"]*)['"]/g)].map(
		([, name = '', value = '']): [string, string] => [name, value.replace('$TOKEN', token)]
	);
	const method = /-X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST');
	const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
	return response.json();
};
