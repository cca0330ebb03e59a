import { z } from 'zod';
import { gives, shows, type Operation } from '../operation.ts';

export const readOk = {
	id: 'ok',
	method: 'GET',
	path: '/api/auth/ok',
	tag: 'Service',
	summary: 'Whether the server runs',
	description: 'Answers while the server runs. It asks no database on its own.',
	session: 'unused',
	body: null,
	answer: gives('It runs.', z.object({ ok: z.literal(true) }), { ok: true }),
	errors: []
} as const satisfies Operation;

export const showError = {
	id: 'error',
	method: 'GET',
	path: '/api/auth/error',
	tag: 'Service',
	summary: 'A page that says that something failed',
	description:
		'Clients lead people here when something failed on the way. The page explains a code that it knows; for anything else it shows a general text. It repeats nothing of the query.',
	session: 'unused',
	query: z.object({
		error: z
			.string()
			.optional()
			.describe('A code such as `INVALID_TOKEN` or `TOKEN_EXPIRED`, in any case of letters.')
	}),
	body: null,
	answer: shows('A page in HTML, also for an unknown code.'),
	errors: []
} as const satisfies Operation;

export const readDocument = {
	id: 'openApi',
	method: 'GET',
	path: '/api/auth/openapi.json',
	tag: 'Service',
	summary: 'This document',
	description:
		'The description of the whole JSON API, by OpenAPI 3.1. It may be kept for five minutes.',
	session: 'unused',
	body: null,
	answer: gives(
		'The document.',
		z.looseObject({
			openapi: z.literal('3.1.1'),
			paths: z.looseObject({}).describe('Every call, by its path.')
		}),
		{ openapi: '3.1.1', paths: {} }
	),
	errors: []
} as const satisfies Operation;

export const hello = {
	id: 'hello',
	method: 'GET',
	path: '/api/hello',
	tag: 'Service',
	summary: 'An example of an endpoint that needs a session',
	description: 'Greets by name, or by address where there is no name.',
	session: 'required',
	body: null,
	answer: gives(
		'A greeting.',
		z.object({ message: z.string().describe('With the name or the address.') }),
		{ message: 'Hello, Ada' }
	),
	errors: []
} as const satisfies Operation;
