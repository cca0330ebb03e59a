import { betterAuth } from 'better-auth';
import { bearer, emailOTP } from 'better-auth/plugins';
import Database from 'better-sqlite3';
import { mailCode } from '#lib/mail.ts';
import { ORIGIN } from '#lib/origin.ts';

// The build loads this module too, and needs no file for it.
const database = new Database(process.env['DATABASE_FILE'] ?? ':memory:');
database.pragma('journal_mode = WAL');

export const auth = betterAuth({
	baseURL: ORIGIN,
	database,
	// The load comes from one machine; what is compared is the work of a request that is let in.
	rateLimit: { enabled: false },
	telemetry: { enabled: false },
	session: { cookieCache: { enabled: true, maxAge: 300 } },
	plugins: [
		emailOTP({
			storeOTP: 'hashed',
			expiresIn: 600,
			// Its documentation recommends not to await the mail: the time an answer takes would tell.
			sendVerificationOTP: async ({ email, otp }) => {
				mailCode(email, otp).catch((error: unknown) => console.error(error));
			}
		}),
		bearer()
	]
});
