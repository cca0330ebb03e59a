import type { JsonSchema } from '../openapi/types.ts';
import type { Field, TypePart } from '#lib/view/reference.ts';

type Node = JsonSchema | boolean;

const NAMED = '#/components/schemas/';

/** The properties of an object, even if it is nullable. */
export const fieldsOf = (node: Node | undefined): readonly Field[] => {
	const schema = asObject(node);
	const object = [schema, ...alternatives(schema)].find(({ properties }) => properties);
	return Object.entries(object?.properties ?? {}).map(([name, property]) => {
		const field = asObject(property);
		return {
			name,
			type: typeOf(field),
			required: object?.required?.includes(name) ?? false,
			description: field.description ?? '',
			limits: limitsOf(field)
		};
	});
};

/** The type of a value, such as `string or null` or `list of Session`. */
export const typeOf = (node: Node | undefined): readonly TypePart[] => {
	const schema = asObject(node);
	if (schema.$ref?.startsWith(NAMED)) {
		const name = schema.$ref.slice(NAMED.length);
		return [{ text: name, schema: name }];
	}
	if (schema.const !== undefined) return plain(JSON.stringify(schema.const));
	if (schema.enum) return plain(schema.enum.map((value) => JSON.stringify(value)).join(' or '));
	const several = alternatives(schema);
	if (several.length > 0) {
		return several.flatMap((one, i) => [...(i === 0 ? [] : plain(' or ')), ...typeOf(one)]);
	}
	if (schema.type === 'array') return [...plain('list of '), ...typeOf(itemsOf(schema))];
	const { type } = schema as { readonly type?: string | readonly string[] };
	return plain(type === undefined ? 'anything' : [type].flat().join(' or '));
};

/** Constraints on a value beyond its type. */
const limitsOf = (schema: JsonSchema): readonly string[] => {
	const { minLength, maxLength, minimum, maximum, format, pattern } = schema;
	return [
		...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
		...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
		...(minimum === undefined ? [] : [`at least ${minimum}`]),
		...(maximum === undefined ? [] : [`at most ${maximum}`]),
		...(format === undefined ? [] : [FORMATS[format] ?? format]),
		// If there is a format, the pattern only repeats it in a less readable form.
		...(pattern === undefined || format !== undefined ? [] : [`matches \`${pattern}\``]),
		...alternatives(schema).flatMap(limitsOf)
	];
};

const FORMATS: Readonly<Record<string, string>> = {
	uuid: 'a UUID',
	'date-time': 'ISO 8601, in UTC'
};

const alternatives = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] =>
	(anyOf ?? oneOf ?? []).map(asObject);

const itemsOf = ({ items }: JsonSchema): Node | undefined => [items].flat()[0];

const plain = (text: string): readonly TypePart[] => [{ text, schema: null }];

const asObject = (node: Node | undefined): JsonSchema => (typeof node === 'object' ? node : {});
