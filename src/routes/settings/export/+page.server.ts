import { enterCode, loadExport, sendCode } from '#lib/adapters/web/events/export.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadExport;

export const actions: Actions = pageActions('/settings/export', { sendCode, enterCode });
