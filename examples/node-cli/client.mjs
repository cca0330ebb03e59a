import { solveChallenge } from './solve-challenge.mjs';

/** An error to show to the user. `code` is the error code of the server, if there is one. */
export class Problem extends Error {
	constructor(message, code) {
		super(message);
		this.code = code;
	}
}

/** The session was ended elsewhere or has expired. */
export class Ended extends Problem {
	constructor() {
		super('Your session has ended. Sign in again.', 'UNAUTHORIZED');
	}
}

/**
 * A client of one server. `token` is null for unauthenticated calls. With the `clientKey`, codes
 * belong to this installation, and a sign-in makes it a known device of the account.
 */
export const client = (origin, { token = null, clientKey = null }) => {
	const call = async (path, body, proof = null) => {
		let response;
		try {
			response = await fetch(`${origin}/api/auth${path}`, {
				method: body === undefined ? 'GET' : 'POST',
				headers: {
					'User-Agent': `postern-example-cli (${process.platform})`,
					...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
					...(token === null ? {} : { Authorization: `Bearer ${token}` }),
					...(clientKey === null ? {} : { 'X-Postern-Client': clientKey }),
					...(proof === null ? {} : { 'X-Postern-Proof': proof })
				},
				body: body === undefined ? undefined : JSON.stringify(body),
				redirect: 'error',
				signal: AbortSignal.timeout(30_000)
			});
		} catch (error) {
			const cause = error.cause?.code ?? error.cause?.message ?? error.message;
			throw new Problem(`No response from ${origin}: ${cause}`);
		}
		// A proxy in between can respond with something other than JSON.
		const answer = await response.json().catch(() => ({}));
		if (response.ok) return answer;
		if (answer.challenge && proof === null) {
			return call(path, body, await solveChallenge(answer.challenge));
		}
		throw explain(response, answer);
	};

	return {
		sendCode: (email) => call('/email-otp/send-verification-otp', { email, type: 'sign-in' }),
		/** Returns the token. */
		signIn: async (email, otp) => (await call('/sign-in/email-otp', { email, otp })).token,
		/** Returns the session and its user. */
		session: async () => {
			const found = await call('/get-session');
			if (found === null) throw new Ended();
			return found;
		},
		sessions: () => call('/list-sessions'),
		signOut: () => call('/sign-out', {})
	};
};

const explain = (response, { message, code }) => {
	const { status, headers } = response;
	const wait = headers.has('Retry-After') ? ` in ${headers.get('Retry-After')} seconds` : ' later';
	if (status === 401) return new Ended();
	if (status === 429) return new Problem(`Too many requests. Try again${wait}.`, code);
	if (code === 'OTP_EXPIRED' || code === 'TOO_MANY_ATTEMPTS') {
		return new Problem('That code no longer works. Start again to get a new one.', code);
	}
	if (status === 503 && code !== 'EMAIL_NOT_SENT') {
		return new Problem(`The server is unavailable. Try again${wait}.`, code);
	}
	return new Problem(message ?? `The server responded with ${status}.`, code);
};
