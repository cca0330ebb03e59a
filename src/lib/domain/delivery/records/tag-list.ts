/** `name=value; name=value`, as in DKIM and DMARC records: RFC 6376, section 3.2. */
export interface TagList {
	/** In the order of the record. Names are in lower case, values without outer spaces. */
	readonly tags: readonly (readonly [name: string, value: string])[];
	/** Names that appear more than once. */
	readonly repeated: readonly string[];
	/** Parts that are no tags. */
	readonly malformed: readonly string[];
}

/** No useful record has more parts. The others are ignored. */
const MAX_TAGS = 40;
const TAG_NAME = /^[a-z][a-z0-9_]*$/i;

export const parseTags = (text: string): TagList => {
	const tags: [string, string][] = [];
	const repeated: string[] = [];
	const malformed: string[] = [];
	for (const part of text.split(';', MAX_TAGS)) {
		// No pattern for the whole part: its time would grow with the cube of the length.
		const equals = part.indexOf('=');
		const name = part.slice(0, Math.max(equals, 0)).trim().toLowerCase();
		const value = part.slice(equals + 1).trim();
		if (part.trim() === '') continue;
		if (!TAG_NAME.test(name) || /[^\t\n\r -~]/.test(value)) malformed.push(part.trim());
		else if (tags.some(([other]) => other === name)) repeated.push(name);
		else tags.push([name, value]);
	}
	return { tags, repeated, malformed };
};

export const tagValue = ({ tags }: TagList, name: string): string | null =>
	tags.find(([other]) => other === name)?.[1] ?? null;

/** The record with these changes, in the order of the original. Null drops a tag. */
export const writeTags = (
	{ tags }: TagList,
	changes: Readonly<Record<string, string | null>>
): string => {
	const kept = tags.map(
		([name, value]) => [name, Object.hasOwn(changes, name) ? changes[name] : value] as const
	);
	const added = Object.entries(changes).filter(([name]) => !tags.some(([other]) => other === name));
	// Receivers need the version first, and older ones the policy after it.
	const order = (name: string): number => ['v', 'k', 'p'].indexOf(name) + 1 || 9;
	return [...kept, ...added]
		.filter(([, value]) => typeof value === 'string')
		.sort(([one], [other]) => order(one) - order(other))
		.map(([name, value]) => `${name}=${value}`)
		.join('; ');
};
