import { z } from 'zod';
import { MAX_USER_AGENT } from '#lib/domain/client.ts';
import type { SessionId } from '#lib/domain/ids.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { ListedDevice, Session } from '#lib/domain/sessions/ports.ts';
import { DAY, HOUR } from '#lib/domain/time.ts';
import { describeDevice } from '#lib/device-name.ts';
import {
	responds,
	respondsStatus,
	respondsSuccess,
	takes,
	type Operation
} from '../api/operation.ts';
import { exampleUser, userShape } from '../api/user.ts';
import { date, id } from '../api/fields.ts';

const { lifetime, perAccount, refreshAfter } = defaultPolicy.session;

const sessionShape = z
	.object({
		id: id('Identifies the session.'),
		token: z
			.string()
			.describe(
				'A handle with which the session can be revoked. It is not a credential: the credential is shown only once, in the response to the sign-in.'
			),
		userId: id('The account of the session.'),
		expiresAt: date(
			'When the session expires if it is not used. Using it postpones this, at most once a day.'
		),
		createdAt: date('When the session was created.'),
		updatedAt: date('When the session was last refreshed.'),
		ipAddress: z
			.string()
			.describe('The IP address of the sign-in, as far as the connection shows it.'),
		userAgent: z
			.string()
			.max(MAX_USER_AGENT)
			.describe(
				`The \`User-Agent\` of the sign-in, cut after ${MAX_USER_AGENT} characters. May be empty.`
			)
	})
	.meta({ id: 'Session', description: 'One sign-in of one device.' });

const deviceShape = z
	.object({
		name: z.string().describe('Browser and system in English, such as Safari on iPhone.'),
		current: z.boolean().describe('Whether this call comes from the device.'),
		lastActiveAt: date('Its last sign-in, or the last refresh of one of its sessions.'),
		sessions: z
			.array(sessionShape)
			.describe('Its sessions, the last used first. None if the device signed out.')
	})
	.meta({ id: 'Device', description: 'A browser or program in which the account signed in.' });

const exampleSession: z.infer<typeof sessionShape> = {
	id: '019a9d3e-7c2f-7b8e-8a61-5d0e4c7f9b32',
	token: '019a9d3e-7c2f-7b8e-8a61-5d0e4c7f9b32',
	userId: exampleUser.id,
	expiresAt: '2027-01-18T08:30:00.000Z',
	createdAt: '2026-11-19T08:30:00.000Z',
	updatedAt: '2026-11-19T08:30:00.000Z',
	ipAddress: '203.0.113.7',
	userAgent: 'curl/8.14.1'
};

/**
 * A session in the form of the JSON API. `token` is a handle that identifies the session in other
 * calls. It is not a credential: the store keeps only a hash of that.
 */
export const wireSession = (session: Session): z.infer<typeof sessionShape> => ({
	id: session.id,
	token: session.id,
	userId: session.userId,
	expiresAt: session.expiresAt.toISOString(),
	createdAt: session.createdAt.toISOString(),
	updatedAt: session.updatedAt.toISOString(),
	ipAddress: session.ipAddress,
	userAgent: session.userAgent
});

export const wireDevice = (
	{ userAgent, usedAt, sessions }: ListedDevice,
	current: SessionId
): z.infer<typeof deviceShape> => ({
	name: describeDevice(userAgent),
	current: sessions.some(({ id }) => id === current),
	lastActiveAt: usedAt.toISOString(),
	sessions: sessions.map(wireSession)
});

const flag = (description: string): z.ZodOptional<z.ZodString> =>
	z.string().optional().describe(`\`true\`: ${description} Anything else means no.`);

const revokeSessionBody = z.object({
	token: z
		.string()
		.describe('The handle from the list of sessions. The credential of a session is not a handle.')
});

export const getSession = {
	method: 'GET',
	path: '/api/auth/get-session',
	summary: 'Get the current session',
	description: `Returns the session of this call with its account, or null if there is none; never 401. A session expires ${lifetime / DAY} days after its last refresh. Using the session refreshes it, at most every ${refreshAfter / HOUR} hours. The credential stays the same.`,
	session: 'optional',
	query: z.object({
		disableCookieCache: flag(
			'read the session from the store and not from a cache, which may be up to five minutes old.'
		),
		disableRefresh: flag('do not refresh the session.')
	}),
	response: responds(
		'The session and its account, or null.',
		z.object({ session: sessionShape, user: userShape.describe('Its account.') }).nullable(),
		{ session: exampleSession, user: exampleUser }
	)
} as const satisfies Operation;

export const listSessions = {
	method: 'GET',
	path: '/api/auth/list-sessions',
	summary: 'List all sessions',
	description: `All active sessions of the account, including the current one, the last used first. There are at most ${perAccount}: a further sign-in ends the session that was unused longest.`,
	session: 'required',
	skipsSessionCache: true,
	response: responds('The sessions.', z.array(sessionShape), [exampleSession])
} as const satisfies Operation;

export const listDevices = {
	method: 'GET',
	path: '/api/auth/list-devices',
	summary: 'List all devices with their sessions',
	description:
		'The devices of the account, each with its active sessions: first the device of this call, then the last used, and then the known devices that signed out. A browser is one device, however often it signs in. Each session of a program without a client key counts as a device.',
	session: 'required',
	skipsSessionCache: true,
	response: responds('The devices.', z.array(deviceShape), [
		{
			name: 'curl',
			current: true,
			lastActiveAt: exampleSession.updatedAt,
			sessions: [exampleSession]
		}
	])
} as const satisfies Operation;

export const revokeSession = {
	method: 'POST',
	path: '/api/auth/revoke-session',
	summary: 'End one session',
	description:
		'Ends a session of the account by its handle. If the handle is unknown or belongs to another account, nothing happens and the response is the same. If it is the current session, the response clears the cookies.',
	session: 'required',
	body: takes(revokeSessionBody, { token: exampleSession.token }),
	response: respondsStatus('The session no longer exists.')
} as const satisfies Operation;

export const revokeOtherSessions = {
	method: 'POST',
	path: '/api/auth/revoke-other-sessions',
	summary: 'End all other sessions',
	description: 'Ends all sessions of the account except the current one.',
	session: 'required',
	response: respondsStatus('Only the current session is left.')
} as const satisfies Operation;

export const revokeSessions = {
	method: 'POST',
	path: '/api/auth/revoke-sessions',
	summary: 'End all sessions',
	description:
		'Ends all sessions of the account, including the current one. This cancels a pending email change.',
	session: 'required',
	response: respondsStatus('No session is left.')
} as const satisfies Operation;

export const signOut = {
	method: 'POST',
	path: '/api/auth/sign-out',
	summary: 'Sign out',
	description:
		'Ends the session of this call, for a bearer token as well as a cookie, and clears the cookies. Without a session nothing happens and the response is the same.',
	session: 'optional',
	response: respondsSuccess('The caller is signed out.')
} as const satisfies Operation;

export const sessionOperations = {
	getSession,
	signOut,
	listDevices,
	listSessions,
	revokeSession,
	revokeOtherSessions,
	revokeSessions
};
