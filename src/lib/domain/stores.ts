import type { Accounts } from './account/accounts.ts';
import type { Challenges } from './sign-in/challenges.ts';
import type { Devices } from './devices/devices.ts';
import type { EmailUndos } from './email-change/email-undos.ts';
import type { EmailChanges } from './email-change/email-changes.ts';
import type { OutboxRows } from './delivery/outbox-rows.ts';
import type { Consents } from './consent/consents.ts';
import type { UnsubscribeLinks } from './consent/unsubscribe-links.ts';
import type { Purchases } from './purchases/purchases.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SignIns } from './sign-in/sign-ins.ts';
import type { TaskRuns } from './tasks/task-runs.ts';
import type { SpentProofs } from './proof/spent-proofs.ts';
import type { Throttle } from './limits/throttle.ts';

/** All repositories of one storage. */
export interface Stores {
	readonly accounts: Accounts;
	readonly challenges: Challenges;
	readonly consents: Consents;
	readonly devices: Devices;
	readonly emailChanges: EmailChanges;
	readonly emailUndos: EmailUndos;
	readonly outboxRows: OutboxRows;
	readonly purchases: Purchases;
	readonly sessions: Sessions;
	readonly signIns: SignIns;
	readonly taskRuns: TaskRuns;
	readonly spentProofs: SpentProofs;
	readonly throttle: Throttle;
	readonly unsubscribeLinks: UnsubscribeLinks;
}
