import { redirect, type RequestEvent, type Action } from '@sveltejs/kit';
import type { Session } from '#lib/domain/sessions/ports.ts';
import { describeDevice } from '#lib/device-name.ts';
import { requireSession } from '../edge/require-user.ts';
import { setFlash } from '../http/flash.ts';
import { settingsAfter } from '../edge/settings-report.ts';
import { postedFields } from '../http/form-body.ts';
import { endDeviceByHandle, endOtherSessions } from './end-sessions.ts';

/** A session as pages show it to its owner. `current` made the request, if a session did. */
export const shownSession = (session: Session, current: Pick<Session, 'id'> | null) => ({
	id: session.id,
	deviceName: describeDevice(session.userAgent),
	ipAddress: session.ipAddress,
	signedInAt: session.createdAt,
	/** Accurate to one day, because sessions are not written more often. */
	lastActiveAt: session.updatedAt,
	current: session.id === current?.id
});

/** Devices of one page. */
const PAGE_SIZE = 10;

/** The number of a page of sessions. The first page for any other text. */
const pageNumber = (value: unknown): number =>
	typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 1;

export const loadSessions = async (event: RequestEvent) => {
	const { user, session } = requireSession(event);
	const number = pageNumber(event.url.searchParams.get('sessions'));
	const listed = await event.locals.app.readSignedInDevicePage(
		user.id,
		session.id,
		number,
		PAGE_SIZE
	);
	const show = (one: Session) => shownSession(one, session);
	return {
		...listed,
		devices: listed.devices.map(([last, ...others]) => [show(last), ...others.map(show)] as const)
	};
};

/** Ends all sessions on the device of a row. */
export const endDevice: Action = async (event) => {
	const fields = await postedFields(event);
	await endDeviceByHandle(event, String(fields.get('session')));
	if (event.locals.session !== null) {
		const page = pageNumber(fields.get('page'));
		redirect(303, settingsAfter(event, 'device-ended', page === 1 ? '' : `?sessions=${page}`));
	}
	setFlash(event, 'signed-out');
	redirect(303, '/');
};

export const endOthers: Action = async (event) => {
	await endOtherSessions(event);
	redirect(303, settingsAfter(event, 'others-ended'));
};
