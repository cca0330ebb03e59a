import { loadActivity } from '#lib/adapters/web/events/activity.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = loadActivity;
