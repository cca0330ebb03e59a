import type { Session } from '#lib/domain/sessions/ports.ts';
import { describeDevice, kindOfDevice } from '#lib/messages/device-name.ts';
import type { ShownSession } from '#lib/view/sessions.ts';

/** A session as pages show it to its owner. `current` is the session that made the request, if there is one. */
export const shownSession = (
	session: Session,
	current: Pick<Session, 'id'> | null
): ShownSession => ({
	id: session.id,
	device: describeDevice(session.userAgent),
	kind: kindOfDevice(session.userAgent),
	ipAddress: session.ipAddress,
	signedInAt: session.createdAt,
	lastActiveAt: session.updatedAt,
	current: session.id === current?.id
});
