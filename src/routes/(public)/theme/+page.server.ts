import { redirect } from '@sveltejs/kit';
import { postedFields } from '#lib/adapters/web/forms/posted-form.ts';
import { pageActions } from '#lib/adapters/web/rules/page-actions.ts';
import { safePath } from '#lib/adapters/web/security/safe-path.ts';
import { setTheme } from '#lib/adapters/web/pages/theme-cookie.ts';
import { parseTheme } from '#lib/ui/layout/theme.ts';
import type { Actions, PageServerLoad } from './$types';

/** This route has no page of its own: the switch is at the foot of every page. */
export const load: PageServerLoad = () => redirect(303, '/');

export const actions: Actions = pageActions('/(public)/theme', {
	default: async (event) => {
		const fields = await postedFields(event);
		setTheme(event.cookies, parseTheme(fields.get('theme')));
		redirect(303, safePath(fields.get('from'), event.locals.app.config.origin) ?? '/');
	}
});
