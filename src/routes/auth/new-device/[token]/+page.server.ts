import { loadNewDevice, signOutNewDevice } from '#lib/adapters/web/sessions/new-device.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';

export const load = loadNewDevice;

export const actions = pageActions('/auth/new-device/[token]', {
	signOut: signOutNewDevice
});
