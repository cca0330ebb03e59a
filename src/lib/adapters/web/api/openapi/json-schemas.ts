import { z } from 'zod';
import type { JsonSchema } from './types.ts';

/**
 * Turns the schemas that endpoints parse and answer with into JSON Schema. Those that have an id
 * are collected in `named`, and stand as a reference wherever they are used.
 */
export const schemaWriter = (
	named: Record<string, JsonSchema>
): ((schema: z.ZodType, io?: 'input' | 'output') => JsonSchema) => {
	return (schema, io = 'output') => {
		const { $schema: _, $defs = {}, ...written } = z.toJSONSchema(schema, { io });
		for (const [id, definition] of Object.entries($defs)) named[id] = inComponents(definition);
		return inComponents(written);
	};
};

/** The document keeps them in a place of its own, without the id they have there anyway. */
const inComponents = (value: unknown): JsonSchema =>
	JSON.parse(
		JSON.stringify(value, (key, inner: unknown) =>
			key === '$ref' ? String(inner).replace('#/$defs/', '#/components/schemas/') : inner
		)
	) as JsonSchema;
