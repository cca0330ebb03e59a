import type { Accounts } from './accounts.ts';
import type { Challenges } from './challenges.ts';
import type { Consents } from './consents.ts';
import type { EmailChanges } from './email-changes.ts';
import type { Purchases } from './purchases.ts';
import type { Sessions } from './sessions.ts';
import type { SignIns } from './sign-ins.ts';
import type { TaskRuns } from './task-runs.ts';
import type { Throttle } from './throttle.ts';

/** Everything one storage keeps. */
export interface Stores {
	readonly accounts: Accounts;
	readonly challenges: Challenges;
	readonly consents: Consents;
	readonly emailChanges: EmailChanges;
	readonly purchases: Purchases;
	readonly sessions: Sessions;
	readonly signIns: SignIns;
	readonly taskRuns: TaskRuns;
	readonly throttle: Throttle;
}
