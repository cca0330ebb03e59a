/** Internationalised domain names. */
export interface DomainNames {
	/**
	 * The ASCII form of a domain by the rules of UTS 46 as browsers apply them, lower case; null for what is no
	 * domain name. The ASCII form of an ASCII form is itself.
	 */
	toAscii(domain: string): string | null;
}
