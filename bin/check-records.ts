import { nodeDnsLookup } from '#lib/adapters/mail/records/node-dns-lookup.ts';
import { nodePublicKeys } from '#lib/adapters/mail/records/node-public-keys.ts';
import { registrableDomain } from '#lib/adapters/mail/records/public-suffixes.ts';
import type { SmtpAccount } from '#lib/config/mail-account.ts';
import { isLocalDomain, makeCheckSender } from '#lib/domain/delivery/records/check-sender.ts';
import { worst, type Level, type Section } from '#lib/domain/delivery/records/finding.ts';
import { complain, printable, say } from './printable.ts';

export interface RecordOptions {
	readonly selectors: readonly string[];
	readonly returnPath: string | null;
	/** DNS servers. Empty uses the system's. */
	readonly servers: readonly string[];
}

const TIMING = { timeout: 1_500, deadline: 60_000 };

/** The exit code of the worst finding. 1 is for emails that were not sent. */
const STATUS: Readonly<Record<Level, number>> = { ok: 0, warning: 0, error: 2, unchecked: 3 };
const WORD: Readonly<Record<Level, string>> = {
	ok: 'ok',
	warning: 'better',
	error: 'wrong',
	unchecked: 'not checked'
};

/** Prints what is wrong with the DNS records of the sender. Returns the exit code. */
export const checkRecords = async (
	{ from, host }: SmtpAccount,
	{ selectors, returnPath, servers }: RecordOptions
): Promise<number> => {
	const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
	if (isLocalDomain(domain)) {
		say(`no DNS records to check: ${domain} exists only for tests and private networks`);
		return 0;
	}
	const dns = openDns(servers);
	if (dns === null) {
		complain(`--dns needs an IP address, such as 9.9.9.9 or 127.0.0.1:5353`);
		return 1;
	}
	const check = makeCheckSender({ dns, keys: nodePublicKeys(), registrable: registrableDomain });
	say(`DNS records of ${domain} (the domain of EMAIL_FROM)`);
	const sections = await check({ domain, smtpHost: host, selectors, returnPath });
	for (const section of sections) print(section);
	const findings = sections.flatMap((section) => section.findings);
	const count = (level: Level): number => findings.filter((one) => one.level === level).length;
	say(
		`DNS records: ${count('error')} wrong, ${count('unchecked')} not checked, ${count('warning')} could be better`
	);
	return STATUS[worst(findings)];
};

const openDns = (servers: readonly string[]): ReturnType<typeof nodeDnsLookup> | null => {
	try {
		return nodeDnsLookup({ servers, ...TIMING });
	} catch {
		// Node refuses what is not an IP address.
		return null;
	}
};

/** Findings that the same record mends come first, and then the record. */
const print = ({ topic, name, findings }: Section): void => {
	say(`${topic}: ${printable(name)}`);
	findings.forEach(({ level, text, set }, at) => {
		say(`  ${WORD[level]}: ${printable(text)}`);
		const next = findings[at + 1]?.set ?? null;
		if (set === null || (next !== null && next.value === set.value)) return;
		say(`    set  name   ${printable(set.name)}`);
		say(`         type   ${set.type}`);
		say(`         value  ${printable(set.value)}`);
	});
};
