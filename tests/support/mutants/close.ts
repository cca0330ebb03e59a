// Loaded into a built server with --import: told to stop, it closes at once the way the framework's
// own server does, by the method of the HTTP server. That cuts the connections that are idle, also
// those on which a proxy is sending a request at that moment.
import { Server as HttpServer } from 'node:http';

const { listen } = HttpServer.prototype;
HttpServer.prototype.listen = function (this: HttpServer, ...args: unknown[]) {
	const close = (): void => void this.close();
	// After whatever has kept the process busy meanwhile.
	process.on('SIGTERM', close).on('SIGINT', close);
	return Reflect.apply(listen, this, args) as HttpServer;
} as typeof listen;
