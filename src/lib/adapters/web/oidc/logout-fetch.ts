import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** In milliseconds. */
const PATIENCE = 5_000;

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast';

/** Refuses names of which any address is not public. The connection uses the addresses checked here. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
	lookup(hostname, { ...options, all: true }).then(
		(found) => {
			const wrong = found.find(({ address }) => !isPublic(address));
			const [first] = found;
			if (wrong !== undefined || first === undefined) {
				callback(new Error('the host is in a private network'), '', 0);
			} else if (options.all) callback(null, found);
			else callback(null, first.address, first.family);
		},
		(error: Error) => callback(error, '', 0)
	);
};

/**
 * Posts a form to an application: only over https, without redirects, and without reading the body of
 * the answer. Addresses of private networks are refused, so that no client URI reaches what only this
 * machine can reach.
 */
export const logoutFetch =
	(mayCallPrivateAddresses: boolean) =>
	async (input: string | URL | Request, options: RequestInit = {}): Promise<Response> => {
		const url = new URL(input instanceof Request ? input.url : input);
		const { protocol, hostname } = url;
		if (protocol !== 'https:') throw new Error('the URI is not https');
		// No lookup happens for a literal address.
		const literal = hostname.replace(/^\[|\]$/g, '');
		if (!mayCallPrivateAddresses && isIP(literal) !== 0 && !isPublic(literal)) {
			throw new Error('the host is in a private network');
		}
		return new Promise((resolve, reject) => {
			const sent = request(url, {
				method: options.method,
				headers: Object.fromEntries(new Headers(options.headers)),
				signal: AbortSignal.timeout(PATIENCE),
				agent: false,
				...(!mayCallPrivateAddresses && { lookup: publicLookup })
			});
			sent.on('error', reject);
			sent.on('response', (answer) => {
				answer.destroy();
				// Only these two mean that the application has done it.
				const isDone = answer.statusCode === 200 || answer.statusCode === 204;
				resolve(new Response(null, { status: isDone ? 204 : 502 }));
			});
			sent.end(String(options.body));
		});
	};
