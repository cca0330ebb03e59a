import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { checkoutActions, loadCheckout } from '#lib/adapters/web/purchases/checkout.ts';

export const load = loadCheckout;

export const actions = pageActions('/checkout/success', checkoutActions);
