import type { DnsLookup } from './dns-lookup.ts';
import {
	lookupFailed,
	quote,
	unchecked,
	wrong,
	type Finding,
	type WantedRecord
} from './finding.ts';
import type { ProviderRecords } from './providers.ts';

export const keyName = (selector: string, domain: string): string =>
	`${selector}._domainkey.${domain}`;

export const missingKey = async (
	dns: DnsLookup,
	provider: ProviderRecords,
	selector: string,
	domain: string
): Promise<Finding> => {
	const name = keyName(selector, domain);
	const alias = await dns.cname(name);
	if (alias.kind === 'failed') return lookupFailed(alias.fault, 'CNAME', name);
	const wanted = newKey(provider, selector, domain);
	return alias.kind === 'found'
		? wrong(`it is an alias for ${quote(alias.records[0] ?? '')}, which has no key`, wanted)
		: wrong('there is no DKIM key', wanted);
};

/**
 * When no name exists below `_domainkey`, then no selector has a key (RFC 8020). Otherwise there
 * are keys whose selectors nobody can list.
 */
export const unknownSelector = async (dns: DnsLookup, domain: string): Promise<Finding> => {
	const name = `_domainkey.${domain}`;
	const answer = await dns.txt(name);
	if (answer.kind === 'failed') return lookupFailed(answer.fault, 'TXT', name);
	const how =
		'Find it in the header DKIM-Signature of the test email as "s=…", or at your provider, and name it: --selector NAME';
	if (answer.kind === 'found' || answer.nameExists) {
		return unchecked(`there are keys, but the selector is not known. ${how}`);
	}
	return wrong(
		`there is no DKIM key under any selector. If your emails are signed after all, name the selector. ${how}`,
		{ name: `<selector>.${name}`, type: 'TXT', value: NEW_KEY }
	);
};

const NEW_KEY = 'v=DKIM1; k=rsa; p=<the public key that your provider or mail server shows>';

export const newKey = (
	provider: ProviderRecords,
	selector: string,
	domain: string
): WantedRecord => {
	const name = keyName(selector, domain);
	return provider.dkimAlias === null
		? { name, type: 'TXT', value: NEW_KEY }
		: { name, type: 'CNAME', value: provider.dkimAlias(selector, domain) };
};
