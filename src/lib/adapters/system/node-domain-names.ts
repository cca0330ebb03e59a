import { domainToASCII, domainToUnicode } from 'node:url';
import type { DomainNames } from '#lib/domain/index.ts';

/**
 * Node runs its converter as a URL parser runs: it decodes percent signs, drops tabs, and ends the
 * name at a slash. Any of these would turn one name into another, so their characters are refused
 * before it sees them, and after it where its mapping made some (U+1F101 becomes `0,`).
 */
const NOT_IN_A_NAME = /[\0-,/:-@[-^`{-\x7f]/;
/** It also reads `1.2.3` as the address 1.2.0.3, and an address is no domain name. */
const IP_ADDRESS = /(?:^|\.)[0-9]+\.?$/;

/** A label it cannot decode comes back as it is; it stands for no name in any script. */
const isUndecodable = (label: string): boolean =>
	label.startsWith('xn--') && domainToUnicode(label) === label;

/** UTS 46 by Node's own URL machinery. */
export const nodeDomainNames = (): DomainNames => ({
	toAscii: (domain) => {
		if (NOT_IN_A_NAME.test(domain)) return null;
		const ascii = domainToASCII(domain);
		if (ascii === '' || NOT_IN_A_NAME.test(ascii) || IP_ADDRESS.test(ascii)) return null;
		if (ascii.split('.').some(isUndecodable)) return null;
		// A name that is written one way and read another would be two accounts, or somebody else's.
		return domainToASCII(domainToUnicode(ascii)) === ascii ? ascii : null;
	}
});
