import { memoryBacking } from '../support/backing.ts';
import { challengesContract } from './challenges.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { signInsContract } from './sign-ins.contract.ts';
import { throttleContract } from './throttle.contract.ts';

challengesContract('memory', memoryBacking);
signInsContract('memory', memoryBacking);
sessionsContract('memory', memoryBacking);
throttleContract('memory', memoryBacking);
