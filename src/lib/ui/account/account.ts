import { page } from '$app/state';

type Shown = Required<App.PageData>;

/**
 * The account of the visitor, as of the last server response. Reactive: read it in markup,
 * `$derived` or effects.
 */
export interface AccountStore {
	readonly user: Shown['user'];
	readonly session: Shown['session'];
	readonly isAuthenticated: boolean;
	readonly subscription: Shown['subscription'];
}

/**
 * The user store of the web client. It has no state of its own. Every response with page data
 * updates it, for example after signing in, signing out or an account change.
 */
export const account: AccountStore = {
	get user() {
		return page.data.user ?? null;
	},
	get session() {
		return page.data.session ?? null;
	},
	get isAuthenticated() {
		return account.user !== null;
	},
	get subscription() {
		return page.data.subscription ?? { status: 'none' };
	}
};
