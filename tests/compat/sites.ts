import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';

/** The same page on three origins, none of them the service's. */
export interface Sites {
	/** Another port of the service's host, which makes it the same site to a browser. */
	readonly sameSite: string;
	/** Another host, which makes it another site. */
	readonly crossSite: string;
	/** An origin that is not trusted. */
	readonly untrusted: string;
}

/** Builds the page with the client in it and serves it for as long as this process lives. */
export const serveSites = async (): Promise<Sites> => {
	const files = await bundle(join(import.meta.dirname, 'page'));
	const serve = async (): Promise<number> => {
		const server = createServer(({ url = '/' }, answer) => {
			const { pathname } = new URL(url, 'http://localhost');
			const name = pathname === '/' ? 'index.html' : pathname.slice(1);
			const file = files.get(name);
			const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
			answer.writeHead(file === undefined ? 404 : 200, {
				'content-type': `${type}; charset=utf-8`
			});
			answer.end(file);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		server.unref();
		return (server.address() as AddressInfo).port;
	};
	const [known, unknown] = [await serve(), await serve()];
	return {
		sameSite: `http://localhost:${known}`,
		crossSite: `http://127.0.0.1:${known}`,
		untrusted: `http://localhost:${unknown}`
	};
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
