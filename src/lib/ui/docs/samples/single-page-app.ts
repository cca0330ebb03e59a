export const install = 'npm install better-auth@1.7.7';

export const cookieClient = (
	origin: string
): string => `import { createAuthClient } from 'better-auth/client';
import { emailOTPClient } from 'better-auth/client/plugins';
import { clientKey } from './client-key';

export const auth = createAuthClient({
	baseURL: '${origin}',
	plugins: [emailOTPClient()],
	fetchOptions: { headers: { 'X-Postern-Client': clientKey() } }
});
`;

export const flow = `await auth.emailOtp.sendVerificationOtp({ email, type: 'sign-in' });

const { error } = await auth.signIn.emailOtp({ email, otp });
if (error?.code === 'INVALID_OTP') askAgain();

auth.useSession.subscribe(({ data, isPending }) => {
	if (!isPending) show(data?.user ?? null);
});

await auth.signOut();
`;

export const bearerClient = (
	origin: string
): string => `import { createAuthClient } from 'better-auth/client';
import { emailOTPClient } from 'better-auth/client/plugins';
import { clientKey } from './client-key';

let token = '';

export const auth = createAuthClient({
	baseURL: '${origin}',
	plugins: [emailOTPClient()],
	fetchOptions: {
		credentials: 'omit',
		headers: { 'X-Postern-Client': clientKey() },
		auth: { type: 'Bearer', token: () => token },
		onSuccess: ({ response }) => {
			token = response.headers.get('set-auth-token') ?? token;
		}
	}
});
`;

export const trusted =
	'AUTH_TRUSTED_ORIGINS=https://app.example.org,https://admin.example.org:8443';
