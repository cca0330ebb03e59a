import { purchasesOf, signInsOf } from '#lib/lists.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals: { user, session } }) => ({
	account: { email: user.email, name: user.name, createdAt: user.createdAt },
	purchases: purchasesOf(user.id).map(({ createdAt, ...purchase }) => ({
		...purchase,
		boughtAt: new Date(createdAt)
	})),
	signIns: signInsOf(user.id).map(({ createdAt, ...signIn }) => ({
		...signIn,
		signedInAt: new Date(createdAt),
		current: signIn.id === session.id
	}))
});
