import type { PageRouteId } from '$app/types';
import type { RequestEvent } from '@sveltejs/kit';
import type { CountedEvent, LimitName } from './edge/limits/limits.ts';
import type { PageRules } from './edge/rules.ts';

/** A page in a `(public)` layout group is public, and says whether it shows the links of the site. */
type RulesOf<Id extends PageRouteId> = Id extends `${string}/(public)${'' | `/${string}`}`
	? PageRules & { readonly access: 'public'; readonly showsSiteLinks: boolean }
	: PageRules;

const CODE_FLOW = { request: 'send', resend: 'send', verify: 'check' } as const;

/**
 * The rules of every page. `npm run check:types` fails when a page is new, renamed or removed, until
 * its line here is changed as well.
 */
export const pageRules = {
	'/(public)': { access: 'public', showsSiteLinks: true },
	'/(public)/changelog': { access: 'public', showsSiteLinks: true },
	'/(public)/contact': { access: 'public', showsSiteLinks: true },
	'/(public)/roadmap': { access: 'public', showsSiteLinks: true },
	'/(public)/unsubscribe/[token]': {
		access: 'public',
		actions: { unsubscribe: 'default' },
		showsSiteLinks: false,
		urlHoldsToken: true
	},
	'/app': { access: 'session' },
	'/auth/account-deleted': {
		access: 'public',
		actions: { restore: 'default', leave: 'default' }
	},
	'/auth/login': { access: 'public', actions: CODE_FLOW },
	'/auth/new-device/[token]': {
		access: 'public',
		actions: { signOut: 'default' },
		urlHoldsToken: true
	},
	'/auth/sign-in': { access: 'public', actions: CODE_FLOW },
	'/auth/sign-out': { access: 'public', actions: { default: 'default' } },
	'/auth/sign-up': { access: 'public', actions: CODE_FLOW },
	'/auth/undo-email-change/[token]': {
		access: 'public',
		actions: { undo: 'default' },
		urlHoldsToken: true
	},
	'/auth/verify-email': {
		access: 'public',
		actions: { confirm: 'default', dismiss: 'default', switchAccount: 'default' },
		skipsSessionCache: true,
		urlHoldsToken: true
	},
	'/checkout/success': {
		access: 'public',
		actions: { ...CODE_FLOW, claim: 'default' },
		skipsSessionCache: true,
		hidesEmail: true
	},
	'/docs': { access: 'public', showsSiteLinks: true },
	// For operators only, because of their paths (`rulesOf`).
	'/operators': { access: 'session' },
	'/operators/accounts/[id]': { access: 'session', actions: { act: 'default' } },
	'/settings': {
		access: 'session',
		actions: {
			saveProfile: 'default',
			requestEmailChange: 'send',
			resendEmailChange: 'send',
			cancelEmailChange: 'default',
			endDevice: 'default',
			endOtherSessions: 'default',
			endApplication: 'default',
			grantConsent: 'default',
			withdrawConsent: 'default',
			deleteAccount: 'default'
		},
		skipsSessionCache: true
	},
	'/settings/activity': { access: 'session', skipsSessionCache: true }
} as const satisfies { readonly [Id in PageRouteId]: RulesOf<Id> };

type Page = keyof typeof pageRules;

/** The limits of a page's actions by name, as its rules state them. */
type LimitsOf<Id extends Page> = (typeof pageRules)[Id] extends { readonly actions: infer Limits }
	? Limits
	: Readonly<Record<never, LimitName>>;

type ActionsOf<Id extends Page> = {
	readonly [Name in keyof LimitsOf<Id>]: (
		event: CountedEvent<Extract<LimitsOf<Id>[Name], LimitName>>
	) => unknown;
};

/**
 * Returns the form actions of a page unchanged; only their types are checked. `npm run check:types`
 * fails if the rules of the page lack an action, name one too many, or state another limit than an
 * action needs. `checkLimits` counts each request before its action runs, so the result has the type
 * that the framework expects.
 */
export const pageActions = <Id extends Page, Own extends ActionsOf<Id>>(
	_page: Id,
	actions: Own & Readonly<Record<Exclude<keyof Own, keyof LimitsOf<Id>>, 'missingInPageRules'>>
): {
	readonly [Name in keyof Own]: (
		event: RequestEvent<Record<never, never>, Id>
	) => Own[Name] extends (event: never) => infer Answer ? Answer : never;
} => actions as never;
