import fc from 'fast-check';
import type { OperationObject } from '#lib/adapters/web/api/openapi/document.ts';
import type { JsonSchema, Parameter } from '#lib/adapters/web/api/openapi/types.ts';
import { JSON_TYPE } from '../../support/api/document.ts';
import { anyText } from '../../support/domain/any-text.ts';

const HOSTILE = [
	'ada@example.com',
	' ADA@EXAMPLE.COM ',
	'a@b',
	'123456',
	'000000',
	'sign-in',
	'email',
	'',
	'email-verification',
	'/app',
	'//evil.example',
	'https://evil.example',
	"' or 1=1 --",
	'\0',
	'\ud800',
	'\u202e',
	'ﷺ'.repeat(50),
	'😀'.repeat(300),
	'x'.repeat(5000),
	'__proto__',
	'%00'
];
const someText = fc.oneof(
	fc.constantFrom(...HOSTILE),
	fc.string({ unit: 'grapheme', maxLength: 40 }),
	anyText({ maxLength: 40 })
);
const anything = fc.oneof(
	someText,
	fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, [], {}, [[]], { $ne: '' }, ['123456']),
	fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>
);

/** Values that match a schema, of the kinds that our bodies have. */
const matching = (schema: JsonSchema | boolean | undefined): fc.Arbitrary<unknown> => {
	if (typeof schema !== 'object') return anything;
	if (schema.anyOf) return fc.oneof(...schema.anyOf.map(matching));
	switch (schema.type) {
		case 'string':
			return someText.map((text) => [...text].slice(0, schema.maxLength).join(''));
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		case 'object':
			return fc.record(
				Object.fromEntries(
					Object.entries(schema.properties ?? {}).map(([name, field]) => [name, matching(field)])
				),
				{ requiredKeys: [...(schema.required ?? [])], noNullPrototype: true }
			);
		case undefined:
			return anything;
		default:
			throw new Error(`no body of ours has a ${String(schema.type)} yet`);
	}
};

/** A matching body, the example, one with a wrong or missing field, or no object at all. */
export const bodyFor = ({ requestBody }: OperationObject): fc.Arbitrary<unknown> => {
	const content = requestBody?.content[JSON_TYPE];
	// An operation without a documented body ignores any body.
	if (content === undefined) return fc.oneof(fc.constant(undefined), anything);
	const fields = Object.keys(content.schema.properties ?? {});
	const right = matching(content.schema) as fc.Arbitrary<Record<string, unknown>>;
	const wrong = fc
		.tuple(right, fc.constantFrom(...fields), fc.option(anything, { nil: undefined }))
		.map(([body, field, value]) => ({ ...body, [field]: value }));
	return fc.oneof(
		{ weight: 4, arbitrary: right },
		{ weight: 2, arbitrary: fc.constant(content.example) },
		{ weight: 3, arbitrary: wrong },
		{ weight: 1, arbitrary: anything },
		{ weight: 1, arbitrary: fc.constant(undefined) }
	);
};

/** A query with some of the documented parameters, or with none. */
export const queryFor = ({ parameters }: OperationObject): fc.Arbitrary<string> =>
	fc
		.array(fc.tuple(fc.constantFrom(...namesOf(parameters)), someText), { maxLength: 2 })
		.map((pairs) =>
			pairs.map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`)
		)
		.map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));

/** Every call checks its redirect targets. */
const namesOf = (parameters: readonly Parameter[]): readonly string[] => [
	...parameters.filter((one) => one.in === 'query').map(({ name }) => name),
	'callbackURL'
];

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
