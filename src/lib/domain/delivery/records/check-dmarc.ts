import type { DnsLookup } from './dns-lookup.ts';
import { isDmarc, isNearlyDmarc, parseDmarc, type DmarcRecord } from './dmarc-record.ts';
import { good, lookupFailed, quote, warn, wrong, type Finding, type Section } from './finding.ts';

export interface DmarcWish {
	/** The domain of `EMAIL_FROM`. */
	readonly domain: string;
	/** The domain that a person or company registered. The same as `domain`, or above it. */
	readonly organisation: string;
	/** The organisational domain of any domain. */
	readonly organisationOf: (domain: string) => string;
}

export interface DmarcCheck {
	readonly section: Section;
	/** The record that applies. Null if there is none. */
	readonly applies: DmarcRecord | null;
}

/** As many receivers of reports are checked. */
const MAX_REPORT_DOMAINS = 3;
/** As many names are looked at on the way up: RFC 9989, section 4.10. */
const MAX_STEPS = 8;

/** Checks the DMARC record that applies to a domain. */
export const checkDmarc = async (dns: DnsLookup, wish: DmarcWish): Promise<DmarcCheck> => {
	const { domain, organisation } = wish;
	for (const owner of ownersOf(domain, organisation)) {
		const name = `_dmarc.${owner}`;
		const answer = await dns.txt(name);
		const none = (finding: Finding): DmarcCheck => ({
			section: { topic: 'DMARC', name, findings: [finding] },
			applies: null
		});
		if (answer.kind === 'failed') return none(lookupFailed(answer.fault, 'TXT', name));
		if (answer.kind === 'none') continue;
		const records = answer.records.filter(isDmarc);
		const [text] = records;
		const first = { name, type: 'TXT', value: text ?? firstRecord(owner) } as const;
		if (text === undefined) {
			const near = answer.records.find(isNearlyDmarc);
			if (near === undefined) continue;
			const reason = `the record ${quote(near)} is not read as DMARC. It must begin with "v=DMARC1;"`;
			return none(wrong(reason, first));
		}
		if (records.length > 1) {
			const reason = `there are ${records.length} DMARC records. Receivers then use none of them. Keep one and remove the others`;
			return none(wrong(reason, first));
		}
		const record = parseDmarc(text, owner);
		const findings = [
			...record.findings,
			...policyFindings(record, owner, wish),
			...(await reportFindings(dns, record, owner, wish))
		];
		return {
			section: {
				topic: 'DMARC',
				name,
				findings: findings.length > 0 ? findings : [good(quote(text))]
			},
			applies: record
		};
	}
	const name = `_dmarc.${domain}`;
	const where = domain === organisation ? '' : `, nor one for ${organisation}`;
	const set = { name, type: 'TXT', value: firstRecord(domain) } as const;
	const findings = [wrong(`there is no DMARC record${where}`, set)];
	return { section: { topic: 'DMARC', name, findings }, applies: null };
};

const firstRecord = (domain: string): string => `v=DMARC1; p=none; rua=mailto:dmarc@${domain}`;

/** The domain, and the domains above it up to the organisation's. */
const ownersOf = (domain: string, organisation: string): readonly string[] => {
	const labels = domain.split('.');
	const all = labels.map((_, at) => labels.slice(at).join('.'));
	const upTo = all.indexOf(organisation) + 1;
	const owners = all.slice(0, Math.max(upTo, 1));
	return owners.length <= MAX_STEPS
		? owners
		: [domain, ...owners.slice(owners.length - MAX_STEPS + 1)];
};

const policyFindings = (
	record: DmarcRecord,
	owner: string,
	{ domain, organisation }: DmarcWish
): Finding[] => {
	const findings: Finding[] = [];
	const isInherited = owner !== domain;
	if (isInherited && owner !== organisation) {
		const reason = `older receivers look only at ${domain} and at ${organisation}, and do not find this record`;
		findings.push(warn(reason, { ...record.mended(), name: `_dmarc.${domain}` }));
	}
	const tag = isInherited && record.subdomainPolicy !== null ? 'sp' : 'p';
	const policy = tag === 'sp' ? record.subdomainPolicy : record.policy;
	if (policy === 'none') {
		const reason = `"${tag}=none" only asks for reports. Once they show that your email passes, set a policy`;
		findings.push(warn(reason, record.mended({ [tag]: 'quarantine' })));
	}
	return findings;
};

/** Another organisation gets reports only if it agrees by a record: RFC 9990. */
const reportFindings = async (
	dns: DnsLookup,
	record: DmarcRecord,
	owner: string,
	{ organisation, organisationOf }: DmarcWish
): Promise<Finding[]> => {
	const foreign = record.reportDomains.filter((domain) => organisationOf(domain) !== organisation);
	const findings = await Promise.all(
		foreign.slice(0, MAX_REPORT_DOMAINS).map(async (domain) => {
			const name = `${owner}._report._dmarc.${domain}`;
			const answer = await dns.txt(name);
			if (answer.kind === 'failed') return [lookupFailed(answer.fault, 'TXT', name)];
			if (answer.kind === 'found' && answer.records.some(isDmarc)) return [];
			const reason = `${domain} does not accept reports about ${owner}, so none are sent there`;
			return [warn(reason, { name, type: 'TXT', value: 'v=DMARC1' })];
		})
	);
	return findings.flat();
};
