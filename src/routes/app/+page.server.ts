import { loadNameQuestion, saveName, skipName } from '#lib/adapters/web/account/name-question.ts';
import { loadPurchases } from '#lib/adapters/web/purchases/account-section.ts';
import { pageActions } from '#lib/adapters/web/page-actions.ts';
import { loadSignIns } from '#lib/adapters/web/sessions/account-section.ts';
import { requireUser } from '#lib/adapters/web/edge/require-user.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
	const { email, name, createdAt } = requireUser(event);
	const [purchases, signIns] = await Promise.all([loadPurchases(event), loadSignIns(event)]);
	return {
		account: { email, name, createdAt },
		nameQuestion: loadNameQuestion(event),
		purchases,
		signIns
	};
};

export const actions: Actions = pageActions('/app', { saveName, skipName });
