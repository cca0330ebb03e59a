import { isHttpError, type RequestEvent, type RequestHandler } from '@sveltejs/kit';
import type * as z from 'zod';
import { apiError, methodNotAllowed } from './api-error.ts';
import { answerFault } from './faults.ts';
import { readJson } from './json-body.ts';
import { refuseRedirects } from './redirect-fields.ts';

/** An endpoint that takes no body, whatever is sent. */
export const endpoint =
	(handle: (event: RequestEvent) => Promise<Response> | Response): RequestHandler =>
	async (event) => {
		try {
			const query = Object.fromEntries(event.url.searchParams);
			return refused(event, query) ?? (await handle(event));
		} catch (error) {
			// `requireUser` and `error(…)` of routes of one's own.
			if (isHttpError(error))
				return apiError(error.status, error.body.code ?? 'ERROR', error.body.message);
			return answerFault(event, error);
		}
	};

/** An endpoint that takes a JSON body of one shape. Unknown keys are ignored. */
export const endpointWithBody = <Schema extends z.ZodType>(
	schema: Schema,
	handle: (event: RequestEvent, body: z.infer<Schema>) => Promise<Response>
): RequestHandler =>
	endpoint(async (event) => {
		const json = await readJson(event.request);
		if (!json.ok) return json.error;
		const body = schema.safeParse(json.value);
		if (!body.success) return validationError(body.error.issues);
		return refused(event, json.value as Record<string, unknown>) ?? handle(event, body.data);
	});

const refused = (
	event: RequestEvent,
	values: Readonly<Record<string, unknown>>
): Response | null => {
	const { config, trustedOrigins } = event.locals.app;
	return refuseRedirects(values, config.origin, trustedOrigins);
};

/** The `fallback` of an endpoint: every method it does not have. */
export const onlyMethods =
	(...allowed: readonly string[]): RequestHandler =>
	() =>
		methodNotAllowed(allowed);

const validationError = (issues: readonly z.core.$ZodIssue[]): Response => {
	const told = issues.map(({ path, message }) => `[${['body', ...path].join('.')}] ${message}`);
	return apiError(400, 'VALIDATION_ERROR', told.join('; ').slice(0, 500));
};
