import { loadPurchases } from '#lib/adapters/web/purchases/app-section.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => ({ purchases: await loadPurchases(event) });
