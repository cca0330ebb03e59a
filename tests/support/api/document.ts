import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, OperationObject } from '#lib/adapters/web/api/openapi/document.ts';
import { METHODS } from '#lib/adapters/web/api/openapi/types.ts';
import { openApiDocument } from '#lib/adapters/web/operations.ts';

/** The document as a test server returns it. */
export const apiDocument: OpenApiDocument = openApiDocument({
	origin: 'http://localhost',
	secure: false,
	siteName: 'Postern'
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(apiDocument, 'api');

const compiled = new Map<string, ValidateFunction>();

/** The schema at a place in the document, such as `components`, `schemas`, `User`. */
export const validatorAt = (...place: readonly string[]): ValidateFunction => {
	const steps = place.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
	const $ref = `api#/${steps.map(encodeURIComponent).join('/')}`;
	const found = compiled.get($ref) ?? ajv.compile({ $ref });
	compiled.set($ref, found);
	return found;
};

export const saysOf = (validate: ValidateFunction): string =>
	ajv.errorsText(validate.errors, { dataVar: 'body' });

export interface DocumentedOperation {
	readonly path: string;
	readonly method: (typeof METHODS)[number];
	readonly operation: OperationObject;
}

export const documentedOperations: readonly DocumentedOperation[] = Object.entries(
	apiDocument.paths
).flatMap(([path, item]) =>
	METHODS.flatMap((method) => {
		const operation = item[method];
		return operation === undefined ? [] : [{ path, method, operation }];
	})
);

/** The path of the document that a path of a request belongs to; null if there is none. */
export const documentedPath = (path: string): string | null =>
	Object.keys(apiDocument.paths).find((one) => patternOf(one).test(path)) ?? null;

const patternOf = (path: string): RegExp =>
	new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

export const JSON_TYPE = 'application/json';
