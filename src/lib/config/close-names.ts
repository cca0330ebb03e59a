/** The number of letters to add, drop or change to turn one word into the other. */
const distance = (from: string, to: string): number => {
	let row = Array.from({ length: to.length + 1 }, (_, i) => i);
	for (let i = 1; i <= from.length; i++) {
		const next = [i];
		for (let j = 1; j <= to.length; j++) {
			const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
			next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[to.length] ?? 0;
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Up to four names that the operator may have meant, best first. */
export const closeNames = (written: string, names: readonly string[]): readonly string[] => {
	const wanted = plain(written).slice(0, 40);
	if (wanted === '') return [];
	return names
		.map((name) => {
			const other = plain(name);
			const part = wanted.length > 2 && (other.startsWith(wanted) || wanted.startsWith(other));
			return { name, far: part ? 0.5 : distance(wanted, other) };
		})
		.filter(({ far }) => far <= Math.max(1, wanted.length / 3))
		.sort((one, other) => one.far - other.far)
		.slice(0, 4)
		.map(({ name }) => name);
};
