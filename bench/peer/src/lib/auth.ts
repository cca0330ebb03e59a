import { betterAuth } from 'better-auth';
import { bearer, emailOTP } from 'better-auth/plugins';
import Database from 'better-sqlite3';
import { mailCode } from '#lib/mail.ts';
import { ORIGIN } from '#lib/origin.ts';

// The build loads this module too, where no file is configured.
const database = new Database(process.env['DATABASE_FILE'] ?? ':memory:');
database.pragma('journal_mode = WAL');

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
