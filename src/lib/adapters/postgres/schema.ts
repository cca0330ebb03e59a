import { makeTables } from '../sql/tables.ts';
import { columns } from './columns.ts';

export const tables = makeTables(columns);

// For drizzle-kit, which reads every table from an export of its own. `npm run check:migrations`
// fails when one is missing.
export const {
	user,
	account,
	session,
	device,
	verification,
	emailUndo,
	userData,
	consentRecord,
	unsubscribeLink,
	authThrottle,
	siteCount,
	spentProof,
	emailOutbox,
	purchase,
	taskRun
} = tables;
