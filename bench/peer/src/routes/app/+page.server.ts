import { purchasesOf } from '#lib/lists.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals: { user } }) => ({
	account: { name: user.name },
	purchases: purchasesOf(user.id).map(({ createdAt, ...purchase }) => ({
		...purchase,
		boughtAt: new Date(createdAt)
	}))
});
