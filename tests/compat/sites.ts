import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'vite';

/** Two origins of the same files, neither of them the service's. */
interface Origins {
	/** Another port of the service's host, which makes it the same site to a browser. */
	readonly sameSite: string;
	/** Another host, which makes it another site. */
	readonly crossSite: string;
}
export interface Sites extends Origins {
	/** An origin that is not trusted. */
	readonly untrusted: string;
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Serves files for as long as this process lives. */
export const serve = async (find: Files['get']): Promise<Origins> => {
	const server = createServer(({ url = '/' }, answer) => {
		const name = new URL(url, 'http://localhost').pathname.slice(1) || 'index.html';
		const file = find(name);
		const type = TYPES[extname(name)] ?? 'text/html';
		answer.writeHead(file === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
		answer.end(file);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	const { port } = server.address() as AddressInfo;
	return { sameSite: `http://localhost:${port}`, crossSite: `http://127.0.0.1:${port}` };
};

/** Builds the page with the client in it and serves it. */
export const serveSites = async (): Promise<Sites> => {
	const files = await bundle(join(import.meta.dirname, 'page'));
	const find = files.get.bind(files);
	return { ...(await serve(find)), untrusted: (await serve(find)).sameSite };
};

export type Files = ReadonlyMap<string, string | Uint8Array>;

/** Builds the app in a folder and returns its files by path. */
export const bundle = async (root: string): Promise<Files> => {
	const built = await build({
		configFile: false,
		root,
		logLevel: 'warn',
		build: { write: false }
	});
	if (!('output' in built)) throw new Error('the page was not built as one bundle');
	return new Map(
		built.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])
	);
};
