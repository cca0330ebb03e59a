import { account, authThrottle, session, user, verification } from './auth-tables.ts';
import { purchase, taskRun, userData } from './application-tables.ts';

// Keep in step with the SQLite schema: adapters/sql/parity.ts does not compile otherwise.
export const tables = {
	user,
	session,
	account,
	verification,
	userData,
	authThrottle,
	purchase,
	taskRun
};
