import { LRUCache } from 'lru-cache';
import { getDomain } from 'tldts';
import { OTHER_HOST, parseMailHost, type MailHost } from '#lib/domain/index.ts';
import { isLocalDomain } from '#lib/domain/delivery/records/check-sender.ts';
import type { DnsLookup } from '#lib/domain/delivery/records/dns-lookup.ts';
import { nodeDnsLookup } from '../records/node-dns-lookup.ts';
import type { Timing } from '../delivery/usual-duration.ts';

/** Knows who receives the email of a domain. */
export interface MailHosts {
	/** `OTHER_HOST` when it cannot be found out. It never fails. */
	of(domain: string): Promise<MailHost>;
}

export interface MxHostsSettings {
	readonly mx: DnsLookup['mx'];
	readonly timing: Timing;
}

/** The most domains to remember (the last used ones), and the most DNS queries at the same time. */
const CAPACITY = 10_000;
const PARALLEL = 8;

/** How long an answer is used, in milliseconds: mail servers rarely move. */
const FOUND_FOR = 6 * 3_600_000;
const NONE_FOR = 3_600_000;
const FAILED_FOR = 300_000;

interface Known {
	readonly host: MailHost;
	readonly until: number;
}

/**
 * Finds mail hosts by the MX records of a domain. A client can name any number of made-up domains,
 * so memory and DNS queries are bounded: with too many queries under way, a domain counts as other.
 * A host that was found before is used until a later answer replaces it, so that made-up domains do
 * not change what is counted for the usual ones.
 */
export const mxHosts = ({ mx, timing }: MxHostsSettings): MailHosts => {
	const known = new LRUCache<string, Known>({ max: CAPACITY });
	const lookups = new Map<string, Promise<MailHost>>();

	const look = async (domain: string, before: MailHost): Promise<MailHost> => {
		const answer = await mx(domain).catch(() => null);
		const isFailed = answer === null || answer.kind === 'failed';
		const isFound = answer?.kind === 'found';
		const host = isFound ? firstHost(answer.records) : isFailed ? before : OTHER_HOST;
		const keptFor = isFound ? FOUND_FOR : isFailed ? FAILED_FOR : NONE_FOR;
		known.set(domain, { host, until: timing.now() + keptFor });
		lookups.delete(domain);
		return host;
	};

	return {
		of: (domain) => {
			if (isLocalDomain(domain)) return Promise.resolve(OTHER_HOST);
			const found = known.get(domain);
			const host = found?.host ?? OTHER_HOST;
			const isFresh = found !== undefined && timing.now() < found.until;
			const running = lookups.get(domain);
			if (!isFresh && running === undefined && lookups.size < PARALLEL) {
				const lookup = look(domain, host);
				lookups.set(domain, lookup);
				return found === undefined ? lookup : Promise.resolve(host);
			}
			return found === undefined && running !== undefined ? running : Promise.resolve(host);
		}
	};
};

/**
 * The registrable domain of the first mail server. The suffixes of companies in the public suffix
 * list are not used. Otherwise each customer of such a company would be a host.
 */
const firstHost = (
	records: readonly { readonly priority: number; readonly exchange: string }[]
): MailHost => {
	const lowest = Math.min(...records.map(({ priority }) => priority));
	const servers = records
		.filter(({ priority }) => priority === lowest)
		.map(({ exchange }) => parseMailHost(exchange.replace(/\.$/, '')))
		.filter((server) => server !== OTHER_HOST)
		.sort();
	const [server] = servers;
	if (server === undefined) return OTHER_HOST;
	const options = { allowPrivateDomains: false, extractHostname: false, validateHostname: false };
	return parseMailHost(getDomain(server, options) ?? '');
};

/** In milliseconds. A sign-in does not wait for it, but a shutdown does. */
const TIMEOUT = 1_000;
const DEADLINE = 3_000;

/** Asks the resolvers of the system. Each query reads again which these are. */
export const systemMx: DnsLookup['mx'] = (domain) =>
	nodeDnsLookup({ servers: [], timeout: TIMEOUT, deadline: DEADLINE }).mx(domain);
