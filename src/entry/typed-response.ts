import { ServerResponse } from 'node:http';

/**
 * Sets the content type of plain text that the framework sends without one, before any hook runs.
 */
export class TypedResponse extends ServerResponse {
	override writeHead(status: number, ...rest: readonly unknown[]): this {
		if (Number(this.getHeader('content-length') ?? 0) > 0 && !this.hasHeader('content-type')) {
			this.setHeader('content-type', 'text/plain; charset=utf-8');
		}
		return super.writeHead(status, ...(rest as []));
	}
}
