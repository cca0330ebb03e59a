/**
 * Every route of the build stands on one of these two lists; a new one on neither fails the test,
 * so that opening something to strangers is a change somebody reads. Reviewed: a route belongs on
 * the first only when what it shows or does is meant for people nobody knows.
 */

/** What strangers may use, with the methods that may succeed for them. */
export const PUBLIC_ROUTES: Readonly<Record<string, readonly string[]>> = {
	'/(public)': ['GET', 'HEAD'],
	'/auth/sign-in': ['GET', 'HEAD'],
	'/auth/sign-up': ['GET', 'HEAD'],
	// A stranger is led away; posting ends no session, so it does no harm.
	'/auth/sign-out': [],
	// Where the link of a mail leads; it confirms nothing without a session.
	'/auth/verify-email': ['GET', 'HEAD'],
	'/api/auth/ok': ['GET', 'HEAD'],
	// Says null to strangers.
	'/api/auth/get-session': ['GET', 'HEAD'],
	// Need a body, so nothing succeeds without one.
	'/api/auth/email-otp/send-verification-otp': [],
	'/api/auth/sign-in/email-otp': [],
	// Succeeds with or without a session, by the wire contract.
	'/api/auth/sign-out': ['POST'],
	// Answers that there is nothing.
	'/api/auth/[...path]': []
};

/** What needs a session. */
export const PROTECTED_ROUTES: readonly string[] = [
	'/app',
	'/settings',
	'/api/hello',
	'/api/[...path]'
];
