import { loadNewDevice, signOutNewDevice } from '#lib/adapters/web/sessions/new-device.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = loadNewDevice;

export const actions = pageActions('/auth/new-device/[token]', {
	signOut: signOutNewDevice
}) satisfies Actions;
