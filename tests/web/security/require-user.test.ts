import type { RequestEvent } from '@sveltejs/kit';
import { expect, test } from 'vitest';
import { requireUser } from '#lib/adapters/web/edge/require-user.ts';
import { rulesOf } from '#lib/adapters/web/route-rules.ts';
import { aSession, aUser } from '../../support/domain/builders.ts';

const [user, session] = [aUser(), aSession()];
const body: unknown = expect.objectContaining({ message: 'Unauthorized', code: 'UNAUTHORIZED' });
const UNAUTHORIZED = { status: 401, body };
const SIGN_IN = { status: 303, location: '/auth/sign-in?redirectTo=%2Fdocs%3Fx%3D1' };

const requireOf = (isApi: boolean, isRemoteRequest: boolean, given: object) => () => {
	const url = new URL('https://auth.example/docs?x=1');
	const app = { config: { signInLayout: 'split' } };
	const nobody = { user: null, session: null };
	const locals = { app, target: { isApi }, rules: rulesOf('/docs'), ...nobody, ...given };
	const event: unknown = { url, request: new Request(url), isRemoteRequest, locals };
	return requireUser(event as RequestEvent);
};

test.each([
	['an endpoint', true, false, UNAUTHORIZED],
	['a remote function', false, true, UNAUTHORIZED],
	['a page', false, false, SIGN_IN]
])(
	'E21 %s that requires a user needs both the user and the session',
	(_, isApi, isRemoteRequest, refusal) => {
		for (const given of [{}, { user }, { session }]) {
			expect(requireOf(isApi, isRemoteRequest, given)).toThrow(expect.objectContaining(refusal));
		}
		expect(requireOf(isApi, isRemoteRequest, { user, session })()).toBe(user);
	}
);
