import { loadActivity } from '#lib/adapters/web/events/pages.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = loadActivity;
