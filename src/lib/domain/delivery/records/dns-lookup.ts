/** Why a question to the DNS has no usable answer. */
export type DnsFault =
	'timeout' | 'server_failure' | 'refused' | 'malformed' | 'too_long' | 'unreachable';

/** The answer to one question. `none` says whether the name exists with records of other types. */
export type DnsAnswer<T> =
	| { readonly kind: 'found'; readonly records: readonly T[] }
	| { readonly kind: 'none'; readonly nameExists: boolean }
	| { readonly kind: 'failed'; readonly fault: DnsFault };

export interface MxRecord {
	readonly priority: number;
	/** The host name without a final dot. Empty in the null MX of RFC 7505. */
	readonly exchange: string;
}

/**
 * Reads public DNS records. Answers are untrusted: every text can hold any character. The adapter
 * bounds the number of records, their length and the time of each question.
 */
export interface DnsLookup {
	/** The TXT records of a name. The strings of one record are joined. Follows aliases. */
	txt(name: string): Promise<DnsAnswer<string>>;
	mx(name: string): Promise<DnsAnswer<MxRecord>>;
	/** IPv4 and IPv6 addresses. */
	addresses(name: string): Promise<DnsAnswer<string>>;
	/** The name that this name is an alias of. */
	cname(name: string): Promise<DnsAnswer<string>>;
}

/** What a failed lookup means to an operator. */
export const FAULTS: Readonly<Record<DnsFault, string>> = {
	timeout: 'the DNS server did not answer in time',
	server_failure:
		'the DNS server reported a failure (SERVFAIL). The usual reasons are name servers that do not respond and a broken DNSSEC setup of the domain',
	refused: 'the DNS server refused the question',
	malformed: 'the answer of the DNS server could not be read',
	too_long: 'the answer of the DNS server is too long',
	unreachable: 'the DNS server cannot be reached'
};
