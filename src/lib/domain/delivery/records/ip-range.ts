/** The prefix length of an address or range in CIDR form, or null if it is none. */
export const prefixOf = (version: 4 | 6, range: string): number | null => {
	const [, address = '', prefix] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(range) ?? [];
	const bits = version === 4 ? 32 : 128;
	const length = prefix === undefined ? bits : Number(prefix);
	const isValid = version === 4 ? isIpv4(address) : isIpv6(address);
	return isValid && length <= bits ? length : null;
};

export const isIpv4 = (text: string): boolean =>
	/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text) &&
	text.split('.').every((part) => Number(part) <= 255);

export const isIpv6 = (text: string): boolean => {
	if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return false;
	const halves = text.split('::');
	if (halves.length > 2) return false;
	const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
	const last = groups.at(-1) ?? '';
	const hasIpv4 = isIpv4(last);
	if (hasIpv4) groups.pop();
	const count = groups.length + (hasIpv4 ? 2 : 0);
	return (
		groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) &&
		(halves.length === 2 ? count <= 7 : count === 8)
	);
};
