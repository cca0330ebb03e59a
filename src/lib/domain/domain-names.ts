/** Converts internationalised domain names. */
export interface DomainNames {
	/**
	 * The ASCII form of a domain by the rules of UTS 46 as browsers apply them, in lower case. Null
	 * when the text is not a domain name. The ASCII form of an ASCII form is itself.
	 */
	toAscii(domain: string): string | null;
}
