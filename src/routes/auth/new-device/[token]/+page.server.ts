import {
	loadReportedDevice,
	signOutReportedDevice
} from '#lib/adapters/web/sessions/reported-device.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadReportedDevice;

export const actions = pageActions('/auth/new-device/[token]', {
	signOut: signOutReportedDevice
}) satisfies Actions;
