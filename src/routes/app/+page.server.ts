import { requireUser } from '#lib/adapters/web/sessions/require-user.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = (event) => {
	const { email, name, createdAt } = requireUser(event);
	return { account: { email, name, createdAt } };
};
