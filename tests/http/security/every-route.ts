/**
 * Every route of the build is on one of these two lists. A new route on neither fails the test, so
 * that a reviewer sees every route that becomes public. A route belongs on the first list only if
 * everything it shows or does is meant for unauthenticated clients.
 */

/** Routes that unauthenticated clients may use, with the methods that may succeed for them. */
export const PUBLIC_ROUTES: Readonly<Record<string, readonly string[]>> = {
	'/(public)': ['GET', 'HEAD'],
	'/(public)/contact': ['GET', 'HEAD'],
	'/(public)/roadmap': ['GET', 'HEAD'],
	'/(public)/changelog': ['GET', 'HEAD'],
	// The target of an emailed link; it asks, and says nothing about the account.
	'/(public)/unsubscribe/[token]': ['GET', 'HEAD'],
	// The API reference; its content is the same for every reader.
	'/docs': ['GET', 'HEAD'],
	// The target of an emailed link; it asks, and does not name the account.
	'/auth/new-device/[token]': ['GET', 'HEAD'],
	// The target of an emailed link; it asks, and masks the address that the account has now.
	'/auth/undo-email-change/[token]': ['GET', 'HEAD'],
	'/auth/sign-in': ['GET', 'HEAD'],
	'/auth/sign-up': ['GET', 'HEAD'],
	// The single sign-in page; with the other layout it redirects.
	'/auth/login': ['GET', 'HEAD'],
	// Offers to restore an account to a client with a restore grant; without one it shows an
	// explanation.
	'/auth/account-deleted': ['GET', 'HEAD'],
	// Without a known reference the page is not found.
	'/checkout/success': [],
	// Redirects unauthenticated clients; posting without a session has no effect.
	'/auth/sign-out': [],
	// The target of an emailed link; without a session it confirms nothing.
	'/auth/verify-email': ['GET', 'HEAD'],
	'/api/auth/ok': ['GET', 'HEAD'],
	// Explains known error codes in our own text.
	'/api/auth/error': ['GET', 'HEAD'],
	'/api/auth/openapi.json': ['GET', 'HEAD'],
	// Webhooks of mail providers, each authenticated in its own way. Not found until configured.
	'/api/hooks/mail/[provider]': [],
	// Returns null to unauthenticated clients.
	'/api/auth/get-session': ['GET', 'HEAD'],
	// Not found until configured. Then it answers only proxies, and only says whether there is a session.
	'/api/auth/forward': [],
	// Need a body, so a request without one never succeeds.
	'/api/auth/email-otp/send-verification-otp': [],
	'/api/auth/email-otp/check-verification-otp': [],
	'/api/auth/email-otp/verify-email': [],
	'/api/auth/sign-in/email-otp': [],
	// Redirects to the page of that name.
	'/api/auth/verify-email': [],
	// Redirects to the page of that name; posting needs the token and a form.
	'/api/unsubscribe/[token]': [],
	// Check the session themselves, after the other checks of the wire contract.
	'/api/auth/list-sessions': [],
	'/api/auth/list-devices': [],
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
	// Answers that the path does not exist.
	'/api/auth/[...path]': []
};

/** Routes that need a session. */
export const PROTECTED_ROUTES: readonly string[] = [
	'/app',
	// Only for operators, and unknown to everybody else.
	'/operators',
	'/operators/accounts/[id]',
	'/settings',
	'/settings/activity',
	'/settings/export',
	'/api/hello',
	'/api/marketing-consent',
	'/api/[...path]',
	// Public with OIDC=on. The provider then checks by itself (see tests/http/oidc).
	'/oidc/[...path]'
];
