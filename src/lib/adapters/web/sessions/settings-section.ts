import { redirect, type RequestEvent, type Action } from '@sveltejs/kit';
import type { ListedDevice, Session } from '#lib/domain/sessions/ports.ts';
import { describeDevice } from '#lib/device-name.ts';
import { requireSession } from '../edge/require-user.ts';
import { setFlash, settingsAfter } from '../http/flash.ts';
import { postedFields } from '../http/form-body.ts';
import { endDeviceByHandle, endOthers } from './end-sessions.ts';

const PAGE_SIZE = 10;

/** The number of a page of devices. The first page for any other text. */
const pageNumber = (value: unknown): number =>
	typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 1;

const shownDevice = (device: ListedDevice, current: Session) => ({
	handle: device.handle,
	name: describeDevice(device.userAgent),
	current: device.sessions.some(({ id }) => id === current.id),
	usedAt: device.usedAt,
	/** Of the last used session. Null once the device signed out. */
	ipAddress: device.sessions[0]?.ipAddress ?? null,
	sessions: device.sessions.map(({ id, createdAt, updatedAt }) => ({
		id,
		signedInAt: createdAt,
		/** Accurate to one day, because sessions are not written more often. */
		lastActiveAt: updatedAt
	}))
});

/** One page of the user's devices. A number above the last page gives the last page. */
export const loadDevices = async (event: RequestEvent) => {
	const { user, session } = requireSession(event);
	const devices = await event.locals.app.listDevices(user.id, session.id);
	const pages = Math.ceil(devices.length / PAGE_SIZE);
	const page = Math.min(pages, pageNumber(event.url.searchParams.get('devices')));
	const shown = devices.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
	return { devices: shown.map((device) => shownDevice(device, session)), page, pages };
};

export const endDevice: Action = async (event) => {
	const fields = await postedFields(event);
	const ended = await endDeviceByHandle(event, String(fields.get('device')));
	if (event.locals.session !== null) {
		const page = pageNumber(fields.get('page'));
		const report = ended === 0 ? 'device-removed' : 'device-ended';
		redirect(303, settingsAfter(event, report, page === 1 ? '' : `?devices=${page}`));
	}
	setFlash(event, 'signed-out');
	redirect(303, '/');
};

export const endOtherSessions: Action = async (event) => {
	await endOthers(event);
	redirect(303, settingsAfter(event, 'others-ended'));
};
