// Loaded into a built server with --import: at SIGTERM it closes immediately, as the framework’s
// server does, by the method of the HTTP server. That closes idle connections, including those on
// which a proxy is sending a request at that moment.
import { Server as HttpServer } from 'node:http';

const { listen } = HttpServer.prototype;
HttpServer.prototype.listen = function (this: HttpServer, ...args: unknown[]) {
	const close = (): void => void this.close();
	// After the work that kept the process busy.
	process.on('SIGTERM', close).on('SIGINT', close);
	return Reflect.apply(listen, this, args) as HttpServer;
} as typeof listen;
