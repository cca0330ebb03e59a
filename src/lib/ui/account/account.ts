import { page } from '$app/state';

type Shown = Required<App.PageData>;

/** Who looks at the page, as the server said with its last answer. Reactive; read it in markup, `$derived` or effects. */
export interface AccountStore {
	readonly user: Shown['user'];
	readonly session: Shown['session'];
	readonly isAuthenticated: boolean;
	readonly subscription: Shown['subscription'];
}

/**
 * The user store of the web client. It holds nothing of its own: every answer of the server that
 * brings page data, after signing in, signing out or a change of address, brings it up to date.
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
