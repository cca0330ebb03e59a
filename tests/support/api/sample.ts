import { z } from 'zod';
import {
	documentOf,
	operationsIn,
	type OpenApiDocument
} from '#lib/adapters/web/api/openapi/document.ts';
import * as api from '#lib/adapters/web/api/operation.ts';

const text = (description: string): z.ZodString => z.string().describe(description);
const thing = z.object({ id: text('Its id.') }).meta({ id: 'Thing', description: 'A thing.' });
const params = z.object({ token: z.string().meta({ description: 'A link.', examples: ['a-b'] }) });

/** Operations that together have every shape. */
const groups: Readonly<Record<string, api.OperationGroup>> = {
	'Email change': {
		description: 'Email change.',
		operations: {
			change: {
				method: 'POST',
				path: '/api/auth/change-email',
				summary: 'Change',
				description: 'One <b>.\n\nTwo **bold** `x` or ACCOUNT_DELETED.',
				session: 'required',
				limit: 'send',
				takesProgramKey: true,
				takesProof: true,
				query: z.object({ dry: z.string().max(5).optional() }),
				body: api.takes(
					z.object({
						name: z.string().max(9).nullable().describe('A name.'),
						more: z.object({ at: z.array(z.int()).describe('Times.') }).optional()
					}),
					{ name: 'Ada' }
				),
				response: {
					...api.responds('Things.', z.array(thing), [{ id: '1' }]),
					headers: { 'X-Set': text('A header.') }
				},
				errors: ['account_deleted', 'delivery_failed']
			}
		}
	},
	Service: {
		description: 'Service.',
		operations: {
			show: {
				method: 'GET',
				path: '/api/auth/ok',
				summary: 'Show',
				description: 'Shows.',
				session: 'unused',
				limit: 'default',
				response: { description: 'A page.', isPage: true }
			},
			end: {
				method: 'POST',
				path: '/api/unsubscribe/[token]',
				summary: 'End',
				description: 'Ends.',
				session: 'optional',
				limit: 'check',
				params,
				response: api.responds('Done.', z.object({ a: z.literal('<'), b: thing, c: z.unknown() }), {
					a: '<',
					b: { id: '2' },
					c: 3
				})
			},
			click: {
				method: 'POST',
				path: '/api/hello',
				summary: 'Click',
				description: 'Clicks.',
				session: 'unused',
				limit: 'none',
				body: { ...api.takes(z.object({ 'a b': text('Any.') }), { 'a b': 'c&d' }), isForm: true },
				response: { description: 'To a page.', headers: { Location: text('The page.') } }
			},
			check: {
				method: 'GET',
				path: '/api/auth/forward',
				summary: 'Check',
				description: 'Checks.',
				session: 'optional',
				limit: 'none',
				answersProxies: true,
				headers: z.object({
					'X-Uri': z.string().meta({ examples: ['/a'] }),
					'X-Some': text('').optional()
				}),
				response: { description: 'Yes.', headers: { 'X-User': z.string() } },
				redirect: { description: 'No.', headers: { Location: text('Sign-in.') } }
			}
		}
	}
};

export const sampleOperations = operationsIn(groups);

/** Their document. Each call makes a new one. */
export const sampleDocument = (): OpenApiDocument =>
	documentOf(groups, {
		origin: 'https://a.example',
		secure: true,
		siteName: '<b>A & B'
	});
