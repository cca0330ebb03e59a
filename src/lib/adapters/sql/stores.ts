import type { Stores } from '#lib/domain/deps.ts';
import type { OpenedStorage } from '#lib/domain/stores.ts';
import { sqlAccounts } from './account/accounts.ts';
import { sqlChallenges } from './sign-in/challenges.ts';
import { sqlDevices } from './sessions/devices.ts';
import { sqlEmailChanges } from './email-change/email-changes.ts';
import { sqlEmailUndos } from './email-change/email-undos.ts';
import { sqlEvents } from './events/events.ts';
import { sqlOidcStore } from './oidc/oidc-store.ts';
import { sqlOutboxRows } from './delivery/outbox-rows.ts';
import { sqlConsents, sqlUnsubscribeLinks } from './consent/consents.ts';
import { sqlOperators } from './operators.ts';
import { sqlPurchases } from './purchases/purchases.ts';
import { sqlSessions } from './sessions/sessions.ts';
import { sqlSignIns } from './sign-in/sign-ins.ts';
import type { Sql } from './sql.ts';
import { sqlTaskRuns } from './task-runs.ts';
import { sqlSpentProofs } from './limits/spent-proofs.ts';
import { sqlThrottle } from './limits/throttle.ts';

export const sqlStores = (sql: Sql): Stores => ({
	accounts: sqlAccounts(sql),
	challenges: sqlChallenges(sql),
	consents: sqlConsents(sql),
	devices: sqlDevices(sql),
	emailChanges: sqlEmailChanges(sql),
	emailUndos: sqlEmailUndos(sql),
	events: sqlEvents(sql),
	operators: sqlOperators(sql),
	oidcStore: sqlOidcStore(sql),
	outboxRows: sqlOutboxRows(sql),
	purchases: sqlPurchases(sql),
	sessions: sqlSessions(sql),
	signIns: sqlSignIns(sql),
	taskRuns: sqlTaskRuns(sql),
	spentProofs: sqlSpentProofs(sql),
	throttle: sqlThrottle(sql),
	unsubscribeLinks: sqlUnsubscribeLinks(sql)
});

export const sqlStorage = (sql: Sql): OpenedStorage => ({ ...sql, stores: sqlStores(sql) });
