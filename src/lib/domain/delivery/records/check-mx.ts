import type { DnsLookup, MxRecord } from './dns-lookup.ts';
import {
	good,
	lookupFailed,
	quote,
	warn,
	wrong,
	type Finding,
	type WantedRecord
} from './finding.ts';
import { isIpv4 } from './ip-range.ts';

/** As many mail hosts are looked up. */
const MAX_HOSTS = 10;

const LOOPBACK = /^(?:127\.|0\.0\.0\.0$|::1?$)/;

/**
 * Checks whether a domain can receive email. Bounces and replies go there, and some receivers
 * refuse email from a domain that cannot receive any.
 */
export const checkMx = async (
	dns: DnsLookup,
	domain: string,
	organisation: string
): Promise<readonly Finding[]> => {
	const answer = await dns.mx(domain);
	if (answer.kind === 'failed') return [lookupFailed(answer.fault, 'MX', domain)];
	if (answer.kind === 'none') return [await missing(dns, domain, organisation)];
	const hosts = answer.records;
	if (hosts.some(({ exchange }) => exchange === '')) {
		const reason =
			hosts.length > 1
				? 'one of its records is the null MX (0 .), which must be the only one. Remove it'
				: 'the null MX (0 .) says that this domain receives no email, and receivers may refuse email from it. Remove it, or send from a domain that receives email';
		return [wrong(reason, await wanted(dns, domain, organisation))];
	}
	const checked = hosts.slice(0, MAX_HOSTS);
	const findings = (await Promise.all(checked.map((host) => checkHost(dns, host)))).flat();
	// One host that works is enough to receive email.
	const broken = findings.filter(({ level }) => level === 'error').length;
	const shown =
		broken > 0 && broken < checked.length
			? findings.map((one) => (one.level === 'error' ? warn(one.text, one.set) : one))
			: findings;
	if (shown.length > 0) return shown;
	const names = checked.map(({ priority, exchange }) => `${priority} ${exchange}`);
	return [good(names.join(', '))];
};

const checkHost = async (dns: DnsLookup, { exchange }: MxRecord): Promise<Finding[]> => {
	const host = quote(exchange);
	if (isIpv4(exchange)) return [wrong(`${host} is an address. An MX record needs a host name`)];
	const answer = await dns.addresses(exchange);
	if (answer.kind === 'failed') return [lookupFailed(answer.fault, 'addresses', exchange)];
	if (answer.kind === 'none') return [wrong(`the mail host ${host} has no address`)];
	return answer.records.every((address) => LOOPBACK.test(address))
		? [wrong(`the mail host ${host} has an address that leads nowhere`)]
		: [];
};

const missing = async (dns: DnsLookup, domain: string, organisation: string): Promise<Finding> => {
	const answer = await dns.addresses(domain);
	if (answer.kind === 'failed') return lookupFailed(answer.fault, 'addresses', domain);
	const set = await wanted(dns, domain, organisation);
	return answer.kind === 'found'
		? warn('there is no MX record, so bounces and replies go to the web server of this name', set)
		: wrong('there is neither an MX record nor an address, so receivers may refuse the email', set);
};

/** The mail host of the organisation can receive for a subdomain as well. */
const wanted = async (
	dns: DnsLookup,
	domain: string,
	organisation: string
): Promise<WantedRecord> => {
	const above = domain === organisation ? null : await dns.mx(organisation);
	const host = above?.kind === 'found' ? above.records[0] : undefined;
	const isHost = host !== undefined && /^[a-z0-9.-]+$/i.test(host.exchange);
	const value = isHost
		? `${host.priority} ${host.exchange}`
		: `10 <host that receives email for ${domain}>`;
	return { name: domain, type: 'MX', value };
};
