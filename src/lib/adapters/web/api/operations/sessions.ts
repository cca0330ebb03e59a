import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { revokeSessionBody } from '../bodies.ts';
import { exampleSession, exampleUser } from '../examples.ts';
import { gives, takes, type Operation } from '../operation.ts';
import { sessionShape, statusShape, successShape, userShape } from '../shapes.ts';

const DAY = 86_400;
const { lifetime, refreshAfter } = defaultPolicy.session;

const flag = (description: string): z.ZodOptional<z.ZodString> =>
	z.string().optional().describe(`\`true\`: ${description} Anything else means no.`);

export const getSession = {
	id: 'getSession',
	method: 'GET',
	path: '/api/auth/get-session',
	tag: 'Session',
	summary: 'Who is signed in',
	description: `The session of this call with its account, or null where there is none; never 401. A session ends ${lifetime / DAY} days after it was last prolonged, which using it does, at most every ${refreshAfter / 3600} hours. The credential stays the same.`,
	session: 'optional',
	query: z.object({
		disableCookieCache: flag(
			'the store is asked, not the copy that a browser keeps for up to five minutes.'
		),
		disableRefresh: flag('the session is not prolonged.')
	}),
	body: null,
	answer: gives(
		'Session and account, or null.',
		z.object({ session: sessionShape, user: userShape }).nullable(),
		{ session: exampleSession, user: exampleUser }
	),
	errors: []
} as const satisfies Operation;

export const listSessions = {
	id: 'listSessions',
	method: 'GET',
	path: '/api/auth/list-sessions',
	tag: 'Session',
	summary: 'Where the account is signed in',
	description: 'Every session of the account that has not ended, this one included.',
	session: 'required',
	body: null,
	answer: gives('The sessions.', z.array(sessionShape), [exampleSession]),
	errors: []
} as const satisfies Operation;

export const revokeSession = {
	id: 'revokeSession',
	method: 'POST',
	path: '/api/auth/revoke-session',
	tag: 'Session',
	summary: 'End one session',
	description:
		'Ends a session of the account by its handle. A handle that is unknown or of another account does nothing and gets the same answer. Ending the session of this call takes the cookies back.',
	session: 'required',
	body: takes(revokeSessionBody, { token: exampleSession.token }),
	answer: gives('There is no such session any more.', statusShape, { status: true }),
	errors: []
} as const satisfies Operation;

export const revokeOtherSessions = {
	id: 'revokeOtherSessions',
	method: 'POST',
	path: '/api/auth/revoke-other-sessions',
	tag: 'Session',
	summary: 'End all other sessions',
	description: 'Signs the account out everywhere but here.',
	session: 'required',
	body: null,
	answer: gives('Only this session is left.', statusShape, { status: true }),
	errors: []
} as const satisfies Operation;

export const revokeSessions = {
	id: 'revokeSessions',
	method: 'POST',
	path: '/api/auth/revoke-sessions',
	tag: 'Session',
	summary: 'End all sessions',
	description:
		'Signs the account out everywhere, here too. A change of address that waits is void then.',
	session: 'required',
	body: null,
	answer: gives('No session is left.', statusShape, { status: true }),
	errors: []
} as const satisfies Operation;

export const signOut = {
	id: 'signOut',
	method: 'POST',
	path: '/api/auth/sign-out',
	tag: 'Session',
	summary: 'Sign out',
	description:
		'Ends the session of this call, of its bearer and of its cookie alike, and takes the cookies back. Without a session nothing happens and the answer is the same.',
	session: 'optional',
	body: null,
	answer: gives('Nobody is signed in here any more.', successShape, { success: true }),
	errors: []
} as const satisfies Operation;
