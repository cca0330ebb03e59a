import { isIP } from 'node:net';
import { ok } from '#lib/domain/errors.ts';
import { splitList } from './addresses.ts';
import { refuse, type Checked } from './checked.ts';

/** Peers whose forwarded-for headers are trusted. */
export type TrustedProxies =
	| { readonly kind: 'private' }
	| { readonly kind: 'none' }
	| { readonly kind: 'listed'; readonly entries: readonly AddressRange[] };

export interface AddressRange {
	readonly address: string;
	readonly family: 4 | 6;
	/** The number of leading bits to compare. */
	readonly prefix: number;
}

const FIX = 'List addresses or CIDR ranges such as 10.0.0.0/8, or set it to none';

/** The default trusts loopback, link-local and private peers. A list replaces these. */
export const parseProxies = (value: string | undefined): Checked<TrustedProxies> => {
	if (value === undefined) return ok({ kind: 'private' });
	if (value.toLowerCase() === 'none') return ok({ kind: 'none' });
	const entries: AddressRange[] = [];
	for (const entry of splitList(value)) {
		const range = parseRange(entry);
		if (range === null) return refuse(`"${entry}" is neither an address nor a CIDR range`, FIX);
		if (range.prefix === 0 || isAllOfIPv4(range)) {
			return refuse(
				`"${entry}" would trust every client, so a client could choose its own address`,
				FIX
			);
		}
		entries.push(range);
	}
	return entries.length > 0 ? ok({ kind: 'listed', entries }) : refuse('the list is empty', FIX);
};

const parseRange = (entry: string): AddressRange | null => {
	const [address = '', bits, ...rest] = entry.split('/');
	const family = isIP(address);
	if ((family !== 4 && family !== 6) || address.includes('%') || rest.length > 0) return null;
	const longest = family === 4 ? 32 : 128;
	if (bits === undefined) return { address, family, prefix: longest };
	const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
	return prefix <= longest ? { address, family, prefix } : null;
};

/** IPv4-mapped addresses count as IPv4, so a range with all of these trusts every client. */
const isAllOfIPv4 = ({ address, family, prefix }: AddressRange): boolean =>
	family === 6 && prefix <= 96 && /^(?:0*:)*:?(?:0+:)*ffff:/i.test(address);
