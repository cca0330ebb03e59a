import { createAuthClient } from 'better-auth/client';
import { emailOTPClient } from 'better-auth/client/plugins';
import { clientKey } from './client-key.ts';

/** The URL of Postern. To change it: `VITE_POSTERN_URL=https://auth.example.org npm start`. */
export const server: string = import.meta.env.VITE_POSTERN_URL || 'http://localhost:3000';

/** This example shows both modes. Your app needs only one: delete the other. */
export const mode: 'cookie' | 'bearer' =
	new URLSearchParams(location.search).get('mode') === 'bearer' ? 'bearer' : 'cookie';

// In memory, never in localStorage: every script of this origin can read that, even weeks later. So
// a reload signs out.
let token = '';

const withBearer = {
	// The server also sets a cookie, which a client with a token does not need.
	credentials: 'omit' as const,
	auth: { type: 'Bearer' as const, token: () => token },
	onSuccess: ({ response }: { response: Response }) => {
		token = response.headers.get('set-auth-token') ?? token;
	}
};

export const auth = createAuthClient({
	baseURL: server,
	plugins: [emailOTPClient()],
	fetchOptions: {
		// Codes belong to this browser, and a sign-in makes it a known device of the account.
		headers: { 'X-Postern-Client': clientKey() },
		...(mode === 'bearer' ? withBearer : {})
	}
});

/** Call this when the user is signed out. */
export const forgetToken = (): void => {
	token = '';
};
