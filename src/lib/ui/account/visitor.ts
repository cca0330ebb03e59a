import { page } from '$app/state';

type Shown = Required<App.PageData>;

/**
 * The user store of the web client: the account of the visitor, as of the last server response with
 * page data. It has no state of its own. Reactive: read it in markup, `$derived` or effects.
 */
export const visitor = {
	get user(): Shown['user'] {
		return page.data.user ?? null;
	},
	get session(): Shown['session'] {
		return page.data.session ?? null;
	},
	get isAuthenticated(): boolean {
		return visitor.user !== null;
	},
	get subscription(): Shown['subscription'] {
		return page.data.subscription ?? { status: 'none' };
	}
};
