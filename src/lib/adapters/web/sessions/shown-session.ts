import type { Session } from '#lib/domain/sessions/ports.ts';
import { describeDevice } from '#lib/messages/device-name.ts';

/** A session as pages show it to its owner. `current` is the session that made the request, if there is one. */
export const shownSession = (session: Session, current: Pick<Session, 'id'> | null) => ({
	id: session.id,
	device: describeDevice(session.userAgent),
	ipAddress: session.ipAddress,
	signedInAt: session.createdAt,
	/** Accurate to one day, because sessions are not written more often. */
	lastActiveAt: session.updatedAt,
	current: session.id === current?.id
});
