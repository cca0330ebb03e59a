import { checkoutActions, loadCheckout } from '#lib/adapters/web/checkout.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCheckout;

export const actions: Actions = checkoutActions;
