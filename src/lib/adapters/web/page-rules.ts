import type { PageRouteId } from '$app/types';
import type { LimitName } from './edge/limits/client-limits.ts';

/** A field whose typed text is kept. */
export interface KeptField {
	readonly name: string;
	/** The section of the page that contains it, by its anchor. */
	readonly section: string;
}

/** What a page needs. */
export interface PageRules {
	/** `session`: the guard redirects unauthenticated callers to the sign-in page. */
	readonly access: 'public' | 'session';
	/**
	 * Every form action of the page by name, with the limit that counts it. All form posts count
	 * against the default limit as well. `pageActions` compares this with the actions themselves.
	 */
	readonly actions?: Readonly<Record<string, LimitName>>;
	/**
	 * Reading the page never uses a cached session, because the page shows or leads to sensitive
	 * data. By default it may. Form posts always query the store.
	 */
	readonly skipsSessionCache?: true;
	/** The form actions whose typed text is kept if the session has ended (`keepText`). */
	readonly keptFields?: Readonly<Record<string, KeptField>>;
	/**
	 * The page sends codes to an email address that the visitor has not typed and may not see. No
	 * other page shows or accepts these codes (`codeBrowser`).
	 */
	readonly hidesEmail?: true;
	/**
	 * If a limit per client refuses a form of the page, the response is the page with that form
	 * (`showLimitedForm`). Its load puts the refusal into the form.
	 */
	readonly showsLimitedForm?: true;
	/** The URL of the page can contain a token, which other sites must not see. */
	readonly urlHoldsToken?: true;
}

/** A page in a `(public)` layout group is public. */
type RulesOf<Id extends PageRouteId> = Id extends `${string}/(public)${'' | `/${string}`}`
	? PageRules & { readonly access: 'public' }
	: PageRules;

const CODE_FLOW = { request: 'send', resend: 'send', verify: 'check' } as const;

/**
 * The rules of every page. A page that is new, renamed or removed does not compile until its line
 * here follows.
 */
export const pageRules = {
	'/(public)': { access: 'public' },
	'/(public)/changelog': { access: 'public' },
	'/(public)/contact': { access: 'public' },
	'/(public)/roadmap': { access: 'public' },
	'/(public)/unsubscribe/[token]': {
		access: 'public',
		actions: { unsubscribe: 'default' },
		urlHoldsToken: true
	},
	'/app': { access: 'session' },
	'/auth/account-deleted': {
		access: 'public',
		actions: { restore: 'default', leave: 'default' }
	},
	'/auth/login': { access: 'public', actions: CODE_FLOW, showsLimitedForm: true },
	'/auth/new-device/[token]': {
		access: 'public',
		actions: { signOut: 'default' },
		urlHoldsToken: true
	},
	'/auth/sign-in': { access: 'public', actions: CODE_FLOW, showsLimitedForm: true },
	'/auth/sign-out': { access: 'public', actions: { default: 'default' } },
	'/auth/sign-up': { access: 'public', actions: CODE_FLOW, showsLimitedForm: true },
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
		hidesEmail: true,
		showsLimitedForm: true
	},
	'/docs': { access: 'public' },
	'/settings': {
		access: 'session',
		actions: {
			saveProfile: 'default',
			request: 'send',
			prove: 'send',
			cancelChange: 'default',
			endDevice: 'default',
			endOthers: 'default',
			agree: 'default',
			withdraw: 'default',
			deleteAccount: 'default'
		},
		keptFields: {
			saveProfile: { name: 'name', section: 'profile' },
			request: { name: 'email', section: 'email' },
			prove: { name: 'email', section: 'email' }
		},
		skipsSessionCache: true
	}
} as const satisfies { readonly [Id in PageRouteId]: RulesOf<Id> };
