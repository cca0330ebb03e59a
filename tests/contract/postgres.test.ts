import { inject } from 'vitest';
import { postgresBacking } from '../support/backing.ts';
import { accountsContract } from './accounts.contract.ts';
import { changeFeedContract, sharedChangesContract } from './change-feed.contract.ts';
import { challengesContract } from './challenges.contract.ts';
import { consentsContract } from './consents.contract.ts';
import { emailChangesContract } from './email-changes.contract.ts';
import { purchasesContract } from './purchases.contract.ts';
import { purgeContract } from './purge.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { signInsContract } from './sign-ins.contract.ts';
import { taskRunsContract } from './task-runs.contract.ts';
import { throttleContract } from './throttle.contract.ts';

const open = () => postgresBacking(inject('postgresUrl'));

challengesContract('postgres', open);
signInsContract('postgres', open);
emailChangesContract('postgres', open);
sessionsContract('postgres', open);
throttleContract('postgres', open);
accountsContract('postgres', open);
consentsContract('postgres', open);
purchasesContract('postgres', open);
purgeContract('postgres', open);
taskRunsContract('postgres', open);
changeFeedContract('postgres', open);
sharedChangesContract('postgres', open);
