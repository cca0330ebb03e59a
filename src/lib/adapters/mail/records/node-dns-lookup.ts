import { Resolver } from 'node:dns/promises';
import type { DnsAnswer, DnsFault, DnsLookup } from '#lib/domain/delivery/records/dns-lookup.ts';

export interface DnsSettings {
	/** Addresses of DNS servers, each with a port if it is not 53. Empty uses the system's. */
	readonly servers: readonly string[];
	/** Milliseconds for the first try of a question. The second try gets twice as long. */
	readonly timeout: number;
	/** Milliseconds for all questions together. Later ones fail at once. */
	readonly deadline: number;
}

/** More records or longer ones are not read: an answer over TCP can have 64 KiB. */
const MAX_RECORDS = 200;
const MAX_TEXT = 4_096;

const FAULTS: Readonly<Record<string, DnsFault>> = {
	ETIMEOUT: 'timeout',
	ECANCELLED: 'timeout',
	ESERVFAIL: 'server_failure',
	EREFUSED: 'refused',
	ENOTIMP: 'refused',
	ECONNREFUSED: 'unreachable'
};
/** The name has no records of any type. A name that no DNS server can have is one of these. */
const NO_SUCH_NAME = ['ENOTFOUND', 'EBADNAME'];

const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : '';

/** Node's own resolver. It repeats a question over TCP when the answer was truncated. */
export const nodeDnsLookup = ({ servers, timeout, deadline }: DnsSettings): DnsLookup => {
	const resolver = new Resolver({ timeout, tries: 2 });
	if (servers.length > 0) resolver.setServers(servers);
	let isOver = false;
	setTimeout(() => {
		isOver = true;
		resolver.cancel();
	}, deadline).unref();

	const look = async <T>(
		question: () => Promise<readonly T[]>,
		lengthOf: (record: T) => number
	): Promise<DnsAnswer<T>> => {
		if (isOver) return { kind: 'failed', fault: 'timeout' };
		try {
			const records = await question();
			if (records.length === 0) return { kind: 'none', nameExists: true };
			const isLong =
				records.length > MAX_RECORDS || records.some((record) => lengthOf(record) > MAX_TEXT);
			return isLong ? { kind: 'failed', fault: 'too_long' } : { kind: 'found', records };
		} catch (error) {
			const code = codeOf(error);
			if (NO_SUCH_NAME.includes(code)) return { kind: 'none', nameExists: false };
			if (code === 'ENODATA') return { kind: 'none', nameExists: true };
			return { kind: 'failed', fault: FAULTS[code] ?? 'malformed' };
		}
	};
	const text = (record: string): number => record.length;

	return {
		txt: (name) =>
			look(async () => (await resolver.resolveTxt(name)).map((strings) => strings.join('')), text),
		mx: (name) =>
			look(
				async () =>
					(await resolver.resolveMx(name))
						.map(({ priority, exchange }) => ({ priority, exchange: exchange.replace(/\.$/, '') }))
						.sort((one, other) => one.priority - other.priority),
				({ exchange }) => exchange.length
			),
		cname: (name) => look(() => resolver.resolveCname(name), text),
		addresses: async (name) => {
			const ipv4 = await look(() => resolver.resolve4(name), text);
			return ipv4.kind === 'none' && ipv4.nameExists
				? look(() => resolver.resolve6(name), text)
				: ipv4;
		}
	};
};
