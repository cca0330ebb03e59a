import type {
	DnsAnswer,
	DnsFault,
	DnsLookup,
	MxRecord
} from '#lib/domain/delivery/records/dns-lookup.ts';

/** What a DNS server does with questions about a name. */
export type DnsBehaviour =
	| 'servfail'
	| 'refused'
	/** Never answers. */
	| 'silent'
	/** Answers over UDP with the flag that the rest needs TCP. */
	| 'truncated'
	/** Answers with bytes that are no DNS message after the header. */
	| 'garbage';

export interface DnsEntry {
	/** A text of more than 255 characters becomes several strings of one record. */
	readonly txt?: readonly string[];
	readonly mx?: readonly (readonly [priority: number, exchange: string])[];
	readonly a?: readonly string[];
	readonly aaaa?: readonly string[];
	readonly cname?: string;
	readonly behaviour?: DnsBehaviour;
}

export type DnsZone = Readonly<Record<string, DnsEntry>>;

/** What is asked about a name, after aliases. Null if the name does not exist. */
export const entryOf = (zone: DnsZone, name: string): DnsEntry | null => {
	const lower = name.toLowerCase().replace(/\.$/, '');
	const entry = zone[lower];
	if (entry !== undefined) return entry;
	return Object.keys(zone).some((other) => other.endsWith(`.${lower}`)) ? {} : null;
};

const FAULTS: Readonly<Partial<Record<DnsBehaviour, DnsFault>>> = {
	servfail: 'server_failure',
	refused: 'refused',
	silent: 'timeout',
	garbage: 'malformed'
};

/** Answers from a zone without a network. The contract of `DnsLookup` holds for it as well. */
export const zoneLookup = (zone: DnsZone): DnsLookup => {
	const look = <T>(
		name: string,
		records: (entry: DnsEntry) => readonly T[] | undefined,
		follows = true
	): DnsAnswer<T> => {
		const entry = entryOf(zone, name);
		if (entry === null) return { kind: 'none', nameExists: false };
		const fault = entry.behaviour === undefined ? undefined : FAULTS[entry.behaviour];
		if (fault !== undefined) return { kind: 'failed', fault };
		if (follows && entry.cname !== undefined) return look(entry.cname, records);
		const found = records(entry) ?? [];
		return found.length > 0
			? { kind: 'found', records: found }
			: { kind: 'none', nameExists: true };
	};
	return {
		txt: async (name) => look(name, ({ txt }) => txt),
		mx: async (name) =>
			look(name, ({ mx }) =>
				mx?.map(([priority, exchange]): MxRecord => ({
					priority,
					exchange: exchange.replace(/\.$/, '')
				}))
			),
		addresses: async (name) => look(name, ({ a, aaaa }) => a ?? aaaa),
		cname: async (name) => look(name, ({ cname }) => (cname === undefined ? [] : [cname]), false)
	};
};
