import { domainToASCII, domainToUnicode } from 'node:url';
import type { DomainNames } from '#lib/domain/ports.ts';

/**
 * Node's converter works like a URL parser: it decodes percent signs, drops tabs, and ends the
 * name at a slash. Each of these would turn one name into another. So these characters are
 * refused before the conversion, and also after it, because its mapping can produce them (U+1F101
 * becomes `0,`).
 */
const NOT_IN_A_NAME = /[\0-,/:-@[-^`{-\x7f]/;
/** The converter reads `1.2.3` as the address 1.2.0.3, which is no domain name. */
const IP_ADDRESS = /(?:^|\.)[0-9]+\.?$/;

/** The converter leaves a label that it cannot decode. It is not valid in any script. */
const isUndecodable = (label: string): boolean =>
	label.startsWith('xn--') && domainToUnicode(label) === label;

/** UTS 46 through Node's own URL functions. */
export const nodeDomainNames = (): DomainNames => ({
	toAscii: (domain) => {
		if (NOT_IN_A_NAME.test(domain)) return null;
		const ascii = domainToASCII(domain);
		if (ascii === '' || NOT_IN_A_NAME.test(ascii) || IP_ADDRESS.test(ascii)) return null;
		if (ascii.split('.').some(isUndecodable)) return null;
		// If two readers decode a name differently, it could lead to two accounts, or to another
		// user's.
		return domainToASCII(domainToUnicode(ascii)) === ascii ? ascii : null;
	}
});
