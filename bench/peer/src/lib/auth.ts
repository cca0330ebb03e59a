import { betterAuth } from 'better-auth';
import { bearer, emailOTP } from 'better-auth/plugins';
import { database } from '#lib/database.ts';
import { mailCode } from '#lib/mail.ts';
import { ORIGIN } from '#lib/origin.ts';

export const auth = betterAuth({
	baseURL: ORIGIN,
	database,
	// All load comes from one machine, and the benchmark compares accepted requests.
	rateLimit: { enabled: false },
	telemetry: { enabled: false },
	session: { cookieCache: { enabled: true, maxAge: 300 } },
	plugins: [
		emailOTP({
			storeOTP: 'hashed',
			expiresIn: 600,
			// The documentation recommends not to await the email, because response times would reveal
			// accounts.
			sendVerificationOTP: async ({ email, otp }) => {
				mailCode(email, otp).catch((error: unknown) => console.error(error));
			}
		}),
		bearer()
	]
});
