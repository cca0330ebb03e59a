import { z } from 'zod';
import { responds, type Operation } from '../api/operation.ts';

export const readOk = {
	method: 'GET',
	path: '/api/auth/ok',
	summary: 'Check that the server is running',
	description: 'Succeeds while the server is running. The call itself does not query the database.',
	session: 'unused',
	response: responds('The server is running.', z.object({ ok: z.literal(true) }), { ok: true })
} as const satisfies Operation;

export const showError = {
	method: 'GET',
	path: '/api/auth/error',
	summary: 'Show an error page',
	description:
		'Clients send people to this page when something failed. The page explains a known code, and shows a general text for anything else. It repeats nothing from the query.',
	session: 'unused',
	query: z.object({
		error: z
			.string()
			.optional()
			.describe('A code such as `INVALID_TOKEN` or `TOKEN_EXPIRED`, in upper or lower case.')
	}),
	response: { description: 'An HTML page, also for an unknown code.', isPage: true }
} as const satisfies Operation;

export const readDocument = {
	method: 'GET',
	path: '/api/auth/openapi.json',
	summary: 'Get the OpenAPI document',
	description:
		'The description of the whole JSON API in OpenAPI 3.1. Without a session, the response may be cached for five minutes. NOT_FOUND means that the operator switched it off (`DOCS=off`).',
	session: 'unused',
	response: responds(
		'The document.',
		z.looseObject({
			openapi: z.literal('3.1.1'),
			paths: z.looseObject({}).describe('All operations, by path.')
		}),
		{ openapi: '3.1.1', paths: {} }
	),
	errors: ['not_found']
} as const satisfies Operation;

export const hello = {
	method: 'GET',
	path: '/api/hello',
	summary: 'Example of an endpoint that needs a session',
	description: 'Greets the user by name, or by email address if there is no name.',
	session: 'required',
	limit: 'none',
	response: responds(
		'A greeting.',
		z.object({ message: z.string().describe('Contains the name or the email address.') }),
		{ message: 'Hello, Ada' }
	)
} as const satisfies Operation;

export const serviceOperations = { hello, ok: readOk, error: showError, openApi: readDocument };
