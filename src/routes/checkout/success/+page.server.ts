import { checkoutActions, loadCheckout } from '#lib/adapters/web/purchases/checkout.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCheckout;

export const actions: Actions = checkoutActions;
