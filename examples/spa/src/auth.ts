import { createAuthClient } from 'better-auth/client';
import { emailOTPClient } from 'better-auth/client/plugins';

/** Where Postern listens; `VITE_POSTERN_URL=https://auth.example.org npm start` names another one. */
export const server: string = import.meta.env.VITE_POSTERN_URL || 'http://localhost:3000';

/** This example shows both ways. An app of yours needs one of them: delete the other. */
export const mode: 'cookie' | 'bearer' =
	new URLSearchParams(location.search).get('mode') === 'bearer' ? 'bearer' : 'cookie';

// In memory, and never in localStorage: what is stored there every script of this origin can read,
// also weeks later. The price is that a reload signs out.
let token = '';

const withBearer = {
	// The server offers a cookie as well; with a token there is no use for it.
	credentials: 'omit' as const,
	auth: { type: 'Bearer' as const, token: () => token },
	onSuccess: ({ response }: { response: Response }) => {
		token = response.headers.get('set-auth-token') ?? token;
	}
};

export const auth = createAuthClient({
	baseURL: server,
	plugins: [emailOTPClient()],
	fetchOptions: mode === 'bearer' ? withBearer : {}
});

/** To be called when nobody is signed in any more. */
export const forgetToken = (): void => {
	token = '';
};
