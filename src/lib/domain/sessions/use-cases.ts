import { makeEndSession } from './end-session.ts';
import { makeManageSessions } from './manage-sessions.ts';
import { makeReadSession } from './read-session.ts';

export const sessions = {
	readSession: makeReadSession,
	endSession: makeEndSession,
	sessionsOf: makeManageSessions
};
