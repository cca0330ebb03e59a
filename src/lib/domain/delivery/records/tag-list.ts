/** `name=value; name=value`, as in DKIM and DMARC records: RFC 6376, section 3.2. */
export interface TagList {
	/** In the order of the record. Names are in lower case, values without outer spaces. */
	readonly tags: readonly (readonly [name: string, value: string])[];
	/** Names that stand more than once. */
	readonly repeated: readonly string[];
	/** Parts that are no tags. */
	readonly malformed: readonly string[];
}

export const parseTags = (text: string): TagList => {
	const tags: [string, string][] = [];
	const repeated: string[] = [];
	const malformed: string[] = [];
	for (const part of text.split(';')) {
		if (part.trim() === '') continue;
		const [, name = '', value = ''] =
			/^\s*([a-z][a-z0-9_]*)\s*=\s*([^\0-\x08\x0e-\x1f\x7f-\uffff]*?)\s*$/i.exec(part) ?? [];
		const lower = name.toLowerCase();
		if (name === '') malformed.push(part.trim());
		else if (tags.some(([other]) => other === lower)) repeated.push(lower);
		else tags.push([lower, value]);
	}
	return { tags, repeated, malformed };
};

export const tagValue = ({ tags }: TagList, name: string): string | null =>
	tags.find(([other]) => other === name)?.[1] ?? null;

/** A record of these tags. Null drops a tag. */
export const writeTags = (
	{ tags }: TagList,
	changes: Readonly<Record<string, string | null>>
): string => {
	const kept = tags
		.filter(([name]) => !(name in changes))
		.map(([name, value]) => [name, value] as const);
	const added = Object.entries(changes).filter(([, value]) => value !== null);
	const order = (name: string): number => ['v', 'k', 'p'].indexOf(name) + 1 || 9;
	return [...kept, ...added]
		.sort(([one], [other]) => order(one) - order(other))
		.map(([name, value]) => `${name}=${value}`)
		.join('; ');
};
