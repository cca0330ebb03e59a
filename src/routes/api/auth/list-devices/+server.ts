import { listDevices, wireDevice } from '#lib/adapters/web/sessions/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { GET, fallback } = endpoint(listDevices, async (event, { user, session }) => {
	const devices = await event.locals.app.listDevices(user.id, session.id);
	return ok(devices.map((device) => wireDevice(device, session.id)));
});
