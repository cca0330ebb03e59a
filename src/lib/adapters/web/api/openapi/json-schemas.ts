import { z } from 'zod';
import type { JsonSchema } from './types.ts';

/**
 * Converts the schemas of endpoints to JSON Schema. A schema with an id is collected in `named` and
 * becomes a reference wherever it is used.
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

/** In the document the place of a schema names it, so the id is removed. */
const inComponents = (value: unknown): JsonSchema =>
	JSON.parse(
		JSON.stringify(value, (key, inner: unknown) =>
			key === '$ref' ? String(inner).replace('#/$defs/', '#/components/schemas/') : inner
		)
	) as JsonSchema;
