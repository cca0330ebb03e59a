import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals: { user } }) => ({
	account: { email: user.email, name: user.name, createdAt: user.createdAt }
});
