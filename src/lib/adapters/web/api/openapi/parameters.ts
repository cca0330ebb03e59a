import type { Operation } from '../operation.ts';
import { clientKeyParameter } from './client-key.ts';
import type { schemaWriter } from './json-schemas.ts';
import { proofParameter } from './proof.ts';
import type { Parameter } from './types.ts';

/** The parameters of a call: in its path, its query and its headers. */
export const parametersOf = (
	{ params, query, takesClientKey, takesProof }: Operation,
	write: ReturnType<typeof schemaWriter>
): readonly Parameter[] => {
	const fieldsIn = (place: 'path' | 'query', fields: Operation['query']): Parameter[] =>
		Object.entries(fields?.shape ?? {}).map(([name, field]) => {
			const { description = '', ...schema } = write(field, 'input');
			return { name, in: place, description, required: !field.isOptional(), schema };
		});
	return [
		...fieldsIn('path', params),
		...fieldsIn('query', query),
		...(takesClientKey ? [clientKeyParameter] : []),
		...(takesProof ? [proofParameter] : [])
	];
};
