import type { Resolver } from 'node:dns/promises';
import { reasonOf } from '#lib/operator-messages.ts';
import { printable } from './printable.ts';

/** The DNS queries. Tests answer them from a table. */
export type Dns = Pick<Resolver, 'resolveTxt' | 'resolveMx'>;

export interface SendingDomain {
	/** The domain of `EMAIL_FROM`. */
	readonly domain: string;
	readonly smtpHost: string;
	/** The DKIM selectors that the operator named. Empty uses those of the provider. */
	readonly selectors: readonly string[];
}

type Provider = readonly [
	/** The domain of its SMTP servers. */
	host: string,
	/** The prefix of the return path's domain. Null if that domain belongs to the provider. */
	returnPath: string | null,
	/** What an SPF record includes to permit its servers. */
	include: string,
	/** Its DKIM selectors. None if each customer has others. */
	...selectors: readonly string[]
];

/** As the providers document it in 2026. */
const PROVIDERS: readonly Provider[] = [
	['resend.com', 'send.', 'amazonses.com', 'resend'],
	['postmarkapp.com', null, 'spf.mtasv.net'],
	['amazonaws.com', null, 'amazonses.com'],
	['sendgrid.net', null, 'sendgrid.net', 's1', 's2'],
	['mailgun.org', '', 'mailgun.org', 'pdk1', 'pdk2', 'k1', 'mx', 'smtp', 'mailo'],
	['mailjet.com', null, 'spf.mailjet.com', 'mailjet'],
	['brevo.com', null, 'spf.brevo.com', 'brevo1', 'brevo2', 'mail'],
	['gmail.com', '', '_spf.google.com', 'google'],
	['office365.com', '', 'spf.protection.outlook.com', 'selector1', 'selector2'],
	['fastmail.com', '', 'spf.messagingengine.com', 'fm1', 'fm2', 'fm3'],
	['mail.me.com', '', 'icloud.com', 'sig1']
];
/** For all other mail servers, which are assumed to use the domain of `EMAIL_FROM`. */
const OWN_SERVER = ['', '', null] as const;

/** What is known about one record. Its line begins with the level. */
interface Finding {
	readonly level: 'ok' | 'better' | 'wrong' | 'not checked';
	readonly text: string;
	/** The record to set. */
	readonly set: { readonly name: string; readonly type: string; readonly value: string } | null;
}

const finding =
	(level: Finding['level']) =>
	(text: string, set: Finding['set'] = null): Finding => ({ level, text, set });
const good = finding('ok');
const better = finding('better');
const wrong = finding('wrong');
const unchecked = finding('not checked');

/** Names for tests and private networks, which no public DNS server knows: RFC 6761, RFC 6762. */
const LOCAL = /(?:^|\.)(?:test|example|invalid|localhost|local|internal)$/;

/**
 * Looks up the records by which receivers trust a sender, and says which to set. The status is 2 if a
 * record is wrong, otherwise 3 if one could not be checked.
 */
export const checkRecords = async (
	dns: Dns,
	{ domain, smtpHost, selectors }: SendingDomain
): Promise<{ readonly lines: readonly string[]; readonly status: 0 | 2 | 3 }> => {
	if (LOCAL.test(domain)) {
		const reason = `${domain} exists only for tests and private networks`;
		return { lines: [`no DNS records to check: ${reason}`], status: 0 };
	}
	const provider = PROVIDERS.find(([host]) => `.${smtpHost}`.endsWith(`.${host}`)) ?? OWN_SERVER;
	const [, returnPath, include, ...usual] = provider;
	// One of the usual selectors is enough, but the operator uses each one that was named.
	const groups = selectors.length > 0 ? selectors.map((selector) => [selector]) : [usual];
	const findings = await Promise.all([
		unlessFailed('SPF', checkSpf(dns, domain, returnPath, include)),
		...groups.map((group) => unlessFailed('DKIM', checkDkim(dns, domain, group))),
		unlessFailed('DMARC', checkDmarc(dns, domain)),
		unlessFailed('MX', checkMx(dns, domain))
	]);
	const lines = findings.flatMap(({ level, text, set }) => [
		`  ${level}: ${text}`,
		...(set ? [`    set  name   ${set.name}`, `         type   ${set.type}`] : []),
		...(set ? [`         value  ${set.value}`] : [])
	]);
	const levels = findings.map(({ level }) => level);
	return {
		lines: [`DNS records of ${domain} (the domain of EMAIL_FROM)`, ...lines.map(oneLine)],
		status: levels.includes('wrong') ? 2 : levels.includes('not checked') ? 3 : 0
	};
};

/** Records come from the network, so they can have any character and thousands of them. */
const oneLine = (text: string): string => printable(text.slice(0, 1_000));

const FAULTS: Readonly<Record<string, string>> = {
	ETIMEOUT: 'the DNS server did not answer in time',
	ECONNREFUSED: 'the DNS server cannot be reached',
	ESERVFAIL: 'the DNS server reported a failure (SERVFAIL). Often the name servers are down',
	EREFUSED: 'the DNS server refused the question'
};

const unlessFailed = (topic: string, check: Promise<Finding>): Promise<Finding> =>
	check.catch((error: unknown) => {
		const reason = FAULTS[reasonOf(error)] ?? `the lookup failed (${reasonOf(error)})`;
		return unchecked(`${topic}: ${reason}`);
	});

/** Empty if the name has no such records. Throws if the DNS gave no answer. */
const recordsOf = <T>(answer: Promise<readonly T[]>): Promise<readonly T[]> =>
	answer.catch((error: unknown) => {
		if (['ENOTFOUND', 'ENODATA'].includes(reasonOf(error))) return [];
		throw error;
	});

/** The strings of one TXT record are joined. */
const textsOf = async (dns: Dns, name: string): Promise<readonly string[]> =>
	(await recordsOf(dns.resolveTxt(name))).map((strings) => strings.join(''));

const txt = (name: string, value: string) => ({ name, type: 'TXT', value });

/** The domain and those above it, up to two labels. */
const upwards = (domain: string): readonly string[] => {
	const labels = domain.split('.');
	return labels.slice(0, Math.max(1, labels.length - 1)).map((_, at) => labels.slice(at).join('.'));
};

/** The value of a tag in `name=value; name=value`. Null without the tag. */
const tagOf = (record: string, tag: string): string | null => {
	const tags = record.split(';').map((part) => part.split('='));
	const value = tags.find(([name]) => name?.trim().toLowerCase() === tag)?.slice(1);
	return value?.join('=').trim() ?? null;
};

/** Without an `include`, which servers send for the domain is not known. */
const checkSpf = async (
	dns: Dns,
	domain: string,
	returnPath: string | null,
	include: string | null
): Promise<Finding> => {
	if (returnPath === null) {
		return good('SPF: nothing to set. The return path is a domain of the provider');
	}
	const name = `${returnPath}${domain}`;
	const records = await spfOf(dns, name);
	const [record] = records;
	if (record === undefined) {
		const set = txt(name, `v=spf1 ${include === null ? 'mx' : `include:${include}`} ~all`);
		return wrong(`SPF: ${name} has no record`, set);
	}
	if (records.length > 1) return several('SPF', name, records);
	const terms = termsOf(record);
	const end = terms.findIndex((term) => /^(?:[-+~?]?all$|redirect=)/i.test(term));
	const withTerm = (term: string) =>
		txt(name, terms.toSpliced(end < 0 ? terms.length : end, 0, term).join(' '));
	if (include === null) {
		return terms.some((term) => PERMITS.test(term))
			? good(`SPF: ${name} has "${record}"`)
			: wrong(`SPF: ${name} permits no server`, withTerm('mx'));
	}
	return (await refersTo(dns, record, include))
		? good(`SPF: ${name} includes your provider (${include})`)
		: wrong(
				`SPF: ${name} does not include your provider (${include})`,
				withTerm(`include:${include}`)
			);
};

const several = (topic: string, name: string, { length }: readonly string[]): Finding =>
	wrong(`${topic}: ${name} has ${length} records, so receivers use none. Keep one`);

/** Receivers ignore what follows `all`, and a `redirect` beside it. */
const termsOf = (record: string): readonly string[] => {
	const terms = record.trim().split(/\s+/);
	const all = terms.findIndex((term) => /^[-+~?]?all$/i.test(term));
	return all < 0 ? terms : terms.slice(0, all + 1).filter((term) => !/^redirect=/i.test(term));
};

/** A term that can permit a server. */
const PERMITS = /^\+?(?:all|a|mx|ptr|ip4|ip6|exists|include|redirect)\b/i;

const spfOf = async (dns: Dns, name: string): Promise<readonly string[]> =>
	(await textsOf(dns, name)).filter((text) => /^v=spf1(?:\s|$)/i.test(text));

/** Receivers follow no more references than this: RFC 7208, section 4.6.4. */
const MAX_REFERENCES = 10;

/** Whether an SPF record refers to a domain, also by the records that it refers to. */
const refersTo = async (dns: Dns, record: string, domain: string): Promise<boolean> => {
	const names = new Set<string>();
	const add = (text: string): void => {
		for (const term of termsOf(text)) {
			const [, name] = /^\+?(?:include:|redirect=)([^%]+)$/i.exec(term) ?? [];
			if (name !== undefined && names.size < MAX_REFERENCES) names.add(name.toLowerCase());
		}
	};
	add(record);
	// The loop also visits the names that it adds.
	for (const name of names) {
		if (names.has(domain)) return true;
		(await spfOf(dns, name)).forEach(add);
	}
	return names.has(domain);
};

const FIND_SELECTOR =
	'Look for "s=…" in the header DKIM-Signature of the test email, and name it: --selector NAME';

/** One key is enough. A domain above may sign as well. */
const checkDkim = async (
	dns: Dns,
	domain: string,
	selectors: readonly string[]
): Promise<Finding> => {
	const [first] = selectors;
	if (first === undefined) return unchecked(`DKIM: the selector is not known. ${FIND_SELECTOR}`);
	for (const selector of selectors) {
		for (const owner of upwards(domain)) {
			const name = `${selector}._domainkey.${owner}`;
			const keys = (await textsOf(dns, name)).map((text) => tagOf(text, 'p'));
			if (keys.some(Boolean)) return good(`DKIM: ${name} has a key`);
		}
	}
	const name = `${first}._domainkey.${domain}`;
	const value = '<the key that your provider or mail server shows>';
	const set = { name, type: 'TXT or CNAME', value };
	return wrong(`DKIM: ${name} has no key. If the selector is another one: ${FIND_SELECTOR}`, set);
};

const checkDmarc = async (dns: Dns, domain: string): Promise<Finding> => {
	const first = `v=DMARC1; p=none; rua=mailto:dmarc@${domain}`;
	for (const owner of upwards(domain)) {
		const name = `_dmarc.${owner}`;
		const records = (await textsOf(dns, name)).filter((text) => tagOf(text, 'v') === 'DMARC1');
		const [record] = records;
		if (record === undefined) continue;
		if (records.length > 1) return several('DMARC', name, records);
		const tag = owner !== domain && tagOf(record, 'sp') !== null ? 'sp' : 'p';
		const policy = tagOf(record, tag)?.toLowerCase() ?? '';
		if (policy === 'quarantine' || policy === 'reject') {
			return good(`DMARC: ${name} has the policy ${policy}`);
		}
		if (policy !== 'none') {
			return wrong(`DMARC: ${name} has no valid policy ("${tag}=${policy}")`, txt(name, first));
		}
		const value = record.replace(
			new RegExp(`(^|[;\\s])${tag}\\s*=\\s*none`, 'i'),
			`$1${tag}=quarantine`
		);
		const text = `DMARC: ${name} has the policy none, which only asks for reports. Once they show that your email passes, set a policy`;
		return better(text, txt(name, value));
	}
	const name = `_dmarc.${domain}`;
	return wrong(`DMARC: ${name} has no record`, txt(name, first));
};

const checkMx = async (dns: Dns, domain: string): Promise<Finding> => {
	const hosts = (await recordsOf(dns.resolveMx(domain))).map(({ exchange }) => exchange);
	return hosts.some((host) => host !== '')
		? good(`MX: ${domain} receives email at ${hosts.join(', ')}`)
		: better(`MX: ${domain} has no mail server, so bounces and replies are lost`);
};
