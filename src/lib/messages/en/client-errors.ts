import { faults } from './every-page.ts';

/** By the error code that a client puts into the link to the error page. */
export const clientErrors = {
	INVALID_TOKEN: 'This link isn’t valid. Request a new one.',
	TOKEN_EXPIRED: 'This link has expired. Request a new one.',
	INVALID_OTP: 'That code isn’t right. Request a new one.',
	OTP_EXPIRED: 'That code has expired. Request a new one.',
	TOO_MANY_ATTEMPTS: 'Too many wrong attempts. Request a new code.',
	TOO_MANY_REQUESTS: 'Too many requests. Wait a minute, then try again.',
	UNAUTHORIZED: 'You’re not signed in. Sign in, then try again.',
	ACCESS_DENIED: 'Sign-in was cancelled. Sign in to continue.',
	EMAIL_NOT_SENT: 'We couldn’t send the email. Try again in a moment.',
	SERVICE_UNAVAILABLE: faults.unavailable,
	INTERNAL_ERROR: faults.internal
};
