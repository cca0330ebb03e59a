import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { checkoutActions, loadCheckout } from '#lib/adapters/web/purchases/checkout.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadCheckout;

export const actions: Actions = pageActions('/checkout/success', checkoutActions);
