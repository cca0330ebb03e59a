import { checkAlignment } from './check-alignment.ts';
import { checkDkim } from './check-dkim.ts';
import { checkDmarc } from './check-dmarc.ts';
import { checkMx } from './check-mx.ts';
import { checkSpf } from './check-spf.ts';
import type { PublicKeys } from './dkim-key.ts';
import type { DnsLookup } from './dns-lookup.ts';
import { firstOf, type Section } from './finding.ts';
import { recordsOf } from './providers.ts';

export interface CheckSenderDeps {
	readonly dns: DnsLookup;
	readonly keys: PublicKeys;
	/** The part of a domain that a person or company registered. Null for a public suffix. */
	readonly registrable: (domain: string) => string | null;
}

export interface CheckSenderInput {
	/** The domain of `EMAIL_FROM`, in lower case. */
	readonly domain: string;
	readonly smtpHost: string;
	/** DKIM selectors. If there are none, they are guessed. */
	readonly selectors: readonly string[];
	/** The domain of the return path. Null guesses it. */
	readonly returnPath: string | null;
}

export type CheckSender = (input: CheckSenderInput) => Promise<readonly Section[]>;

/** Checks the DNS records that decide whether receivers trust our emails. */
export const makeCheckSender =
	({ dns, keys, registrable }: CheckSenderDeps): CheckSender =>
	async ({ domain, smtpHost, selectors, returnPath: named }) => {
		const organisationOf = (name: string): string => registrable(name) ?? name;
		const organisation = organisationOf(domain);
		const provider = recordsOf(smtpHost);
		const returnPath = named ?? guessReturnPath(provider.returnPath, domain);

		// One after the other: some DNS servers drop questions that arrive at the same time.
		const spfSections: Section[] = [];
		let isSpfUsable = false;
		let isSpfUncertain = false;
		for (const owner of new Set([returnPath ?? domain, domain])) {
			const isReturnPath = owner === returnPath;
			const { findings, isUsable } = await checkSpf(dns, {
				domain: owner,
				include: provider.include,
				isReturnPath
			});
			spfSections.push({ topic: 'SPF', name: owner, findings });
			if (!isReturnPath) continue;
			isSpfUsable = isUsable;
			isSpfUncertain = findings.some(({ level }) => level === 'unchecked');
		}
		const domains = [...new Set([domain, organisation])];
		const dkim = await checkDkim(dns, keys, { domains, named: selectors, provider });
		const dmarc = await checkDmarc(dns, { domain, organisation, organisationOf });
		const alignment = checkAlignment(dmarc.applies, {
			domain,
			organisationOf,
			signers: dkim.signers,
			returnPath: isSpfUsable ? returnPath : null,
			isUncertain: dkim.isUncertain || isSpfUncertain
		});
		const mx = await checkMx(dns, domain, organisation);
		const sections: readonly Section[] = [
			...spfSections,
			...dkim.sections,
			dmarc.section,
			{ topic: 'Alignment', name: domain, findings: alignment },
			{ topic: 'MX', name: domain, findings: mx }
		];
		return sections.map((section) => ({ ...section, findings: firstOf(section.findings) }));
	};

const guessReturnPath = (
	rule: ReturnType<typeof recordsOf>['returnPath'],
	domain: string
): string | null => {
	if (rule === 'provider') return null;
	return rule === 'from' ? domain : `${rule.label}.${domain}`;
};

/** Names for tests and private networks, which no public DNS server knows: RFC 6761, RFC 6762. */
const LOCAL = /(?:^|\.)(?:test|example|invalid|localhost|local|internal)$/;

export const isLocalDomain = (domain: string): boolean => LOCAL.test(domain);
