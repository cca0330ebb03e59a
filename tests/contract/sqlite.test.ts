import { sqliteBacking } from '../support/backing.ts';
import { challengesContract } from './challenges.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { signInsContract } from './sign-ins.contract.ts';
import { throttleContract } from './throttle.contract.ts';

challengesContract('sqlite', sqliteBacking);
signInsContract('sqlite', sqliteBacking);
sessionsContract('sqlite', sqliteBacking);
throttleContract('sqlite', sqliteBacking);
