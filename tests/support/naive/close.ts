// Loaded into a built server with --import: at the end of its life it closes the way the framework's
// own server does, by the method of the HTTP server. That cuts the connections that are idle, also
// those on which a proxy is sending a request at that moment.
import { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';

const { close } = NetServer.prototype;
NetServer.prototype.close = function (this: NetServer, done?: (error?: Error) => void) {
	if (this instanceof HttpServer) this.closeIdleConnections();
	return close.call(this, done);
};
