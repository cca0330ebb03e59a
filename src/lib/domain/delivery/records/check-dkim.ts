import { checkKey, type PublicKeys } from './dkim-key.ts';
import type { DnsAnswer, DnsLookup } from './dns-lookup.ts';
import {
	good,
	isUsable,
	lookupFailed,
	quote,
	warn,
	wrong,
	type Finding,
	type Section
} from './finding.ts';
import { keyName, missingKey, newKey, unknownSelector } from './missing-key.ts';
import { USUAL_SELECTORS, type ProviderRecords } from './providers.ts';

export interface DkimWish {
	/** The domains that may sign, the one of `EMAIL_FROM` first. */
	readonly domains: readonly string[];
	/** Selectors that the operator named. All of them must have a key. */
	readonly named: readonly string[];
	readonly provider: ProviderRecords;
}

export interface DkimCheck {
	readonly sections: readonly Section[];
	/** The domains that have a usable key. */
	readonly signers: readonly string[];
	/** Whether a key may exist that could not be checked. */
	readonly isUncertain: boolean;
}

interface Found {
	readonly selector: string;
	readonly domain: string;
	readonly answer: DnsAnswer<string>;
}

/** Checks the DKIM keys that receivers find for our emails: RFC 6376. */
export const checkDkim = async (
	dns: DnsLookup,
	keys: PublicKeys,
	wish: DkimWish
): Promise<DkimCheck> => {
	const { domains, named, provider } = wish;
	const isNamed = named.length > 0;
	const isProvider = provider.selectors.length > 0;
	const guesses = isProvider ? provider.selectors : USUAL_SELECTORS;
	const selectors = isNamed ? named : guesses;
	const all = await Promise.all(selectors.map((selector) => lookUp(dns, selector, domains)));
	const found = all.filter(({ answer }) => answer.kind !== 'none');
	if (isNamed || found.length > 0) {
		const shown = isNamed ? all : found;
		const checked = await Promise.all(
			shown.map(async (one) => ({ ...one, findings: await checkFound(dns, keys, one, provider) }))
		);
		const usable = checked.filter(({ findings }) => isUsable(findings));
		return {
			sections: checked.map(({ selector, domain, findings }) => ({
				topic: 'DKIM',
				name: keyName(selector, domain),
				// A guessed selector can be one that is no longer used.
				findings: [
					...(isNamed || usable.length === 0 ? findings : findings.map(asWarning)),
					...(isNamed || isProvider ? [] : [good(GUESSED)])
				]
			})),
			signers: [...new Set(usable.map(({ domain }) => domain))],
			isUncertain: checked.some(({ answer }) => answer.kind === 'failed')
		};
	}
	const [domain = ''] = domains;
	const [selector = 'mail'] = provider.selectors;
	const finding = isProvider
		? await missingKey(dns, provider, selector, domain)
		: await unknownSelector(dns, domain);
	const name = isProvider ? keyName(selector, domain) : `_domainkey.${domain}`;
	return {
		sections: [{ topic: 'DKIM', name, findings: [finding] }],
		signers: [],
		isUncertain: finding.level === 'unchecked'
	};
};

/** Looks at each domain in turn, and returns the first with an answer. */
const lookUp = async (
	dns: DnsLookup,
	selector: string,
	domains: readonly string[]
): Promise<Found> => {
	for (const domain of domains) {
		const answer = await dns.txt(keyName(selector, domain));
		if (answer.kind !== 'none') return { selector, domain, answer };
	}
	return { selector, domain: domains[0] ?? '', answer: { kind: 'none', nameExists: false } };
};

const checkFound = async (
	dns: DnsLookup,
	keys: PublicKeys,
	{ selector, domain, answer }: Found,
	provider: ProviderRecords
): Promise<readonly Finding[]> => {
	const name = keyName(selector, domain);
	if (answer.kind === 'failed') return [lookupFailed(answer.fault, 'TXT', name)];
	if (answer.kind === 'none') return [await missingKey(dns, provider, selector, domain)];
	const replacement = newKey(provider, selector, domain);
	const texts = answer.records.filter((text) => /(?:^|[;\s])[pv]\s*=/i.test(text));
	const [text] = texts;
	if (text === undefined) {
		return [wrong(`${quote(answer.records[0] ?? '')} is not a DKIM key`, replacement)];
	}
	if (texts.length > 1) {
		return [
			wrong(
				`there are ${texts.length} keys. Remove all but the one in use. For a second key, use another selector`
			)
		];
	}
	return checkKey(text, replacement, keys);
};

const GUESSED =
	'the selector is a guess. Compare it with "s=…" in the header DKIM-Signature of the test email';

const asWarning = (finding: Finding): Finding =>
	finding.level === 'error'
		? warn(`${finding.text}. This does no harm if this selector is no longer used`)
		: finding;
