import type { Challenges } from '#lib/domain/ports/challenges.ts';
import type { Sessions } from '#lib/domain/ports/sessions.ts';
import type { SignIns } from '#lib/domain/ports/sign-ins.ts';
import type { Throttle } from '#lib/domain/ports/throttle.ts';
import { sqlChallenges } from './challenges.ts';
import { sqlSessions } from './sessions.ts';
import { sqlSignIns } from './sign-ins.ts';
import type { Sql } from './sql.ts';
import { sqlThrottle } from './throttle.ts';

/** All repositories over one open database, their statements prepared. */
export const sqlStores = (
	sql: Sql
): { challenges: Challenges; signIns: SignIns; sessions: Sessions; throttle: Throttle } => ({
	challenges: sqlChallenges(sql),
	signIns: sqlSignIns(sql),
	sessions: sqlSessions(sql),
	throttle: sqlThrottle(sql)
});
