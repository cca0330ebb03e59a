/**
 * Every route of the build stands on one of these two lists; a new one on neither fails the test,
 * so that opening something to strangers is a change somebody reads. Reviewed: a route belongs on
 * the first only when what it shows or does is meant for people nobody knows.
 */

/** What strangers may use, with the methods that may succeed for them. */
export const PUBLIC_ROUTES: Readonly<Record<string, readonly string[]>> = {
	'/(public)': ['GET', 'HEAD'],
	'/(public)/contact': ['GET', 'HEAD'],
	'/(public)/roadmap': ['GET', 'HEAD'],
	'/(public)/changelog': ['GET', 'HEAD'],
	// Takes the look somebody chose for the pages; opened, it leads away.
	'/(public)/theme': [],
	// How to call the API; nothing in there depends on who reads it.
	'/docs': ['GET', 'HEAD'],
	'/docs/api': ['GET', 'HEAD'],
	'/docs/guides/[slug]': ['GET', 'HEAD'],
	'/auth/sign-in': ['GET', 'HEAD'],
	'/auth/sign-up': ['GET', 'HEAD'],
	// The one entry for both; the variant that is not in use leads to the other.
	'/auth/login': ['GET', 'HEAD'],
	// Offers to restore an account to whoever has earned a restore grant to; to others it says what is what.
	'/auth/account-deleted': ['GET', 'HEAD'],
	// Without a known reference there is no page.
	'/checkout/success': [],
	// A stranger is led away; posting ends no session, so it does no harm.
	'/auth/sign-out': [],
	// Where the link of a mail leads; it confirms nothing without a session.
	'/auth/verify-email': ['GET', 'HEAD'],
	'/api/auth/ok': ['GET', 'HEAD'],
	// Explains known codes to people, in our own words.
	'/api/auth/error': ['GET', 'HEAD'],
	'/api/auth/openapi.json': ['GET', 'HEAD'],
	// Says null to strangers.
	'/api/auth/get-session': ['GET', 'HEAD'],
	// Need a body, so nothing succeeds without one.
	'/api/auth/email-otp/send-verification-otp': [],
	'/api/auth/email-otp/check-verification-otp': [],
	'/api/auth/email-otp/verify-email': [],
	'/api/auth/sign-in/email-otp': [],
	// Leads on to the page of that name.
	'/api/auth/verify-email': [],
	// Answer for themselves that they need a session, after the checks of the wire contract.
	'/api/auth/list-sessions': [],
	'/api/auth/revoke-session': [],
	'/api/auth/revoke-sessions': [],
	'/api/auth/revoke-other-sessions': [],
	'/api/auth/update-user': [],
	'/api/auth/delete-user': [],
	'/api/auth/change-email': [],
	'/api/auth/email-otp/request-email-change': [],
	'/api/auth/email-otp/change-email': [],
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
	'/api/marketing-consent',
	'/api/[...path]'
];
