import { getDomain } from 'tldts';

/**
 * The part of a domain that a person or company registered, by the public suffix list of this
 * build. Null for a public suffix. Suffixes of companies count too: their customers are different
 * organisations.
 */
export const registrableDomain = (domain: string): string | null =>
	getDomain(domain, { allowPrivateDomains: true, extractHostname: false, validateHostname: false });
