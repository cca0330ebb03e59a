import { inject } from 'vitest';
import { postgresBacking } from '../support/backing.ts';
import { challengesContract } from './challenges.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { signInsContract } from './sign-ins.contract.ts';
import { throttleContract } from './throttle.contract.ts';

const open = () => postgresBacking(inject('postgresUrl'));

challengesContract('postgres', open);
signInsContract('postgres', open);
sessionsContract('postgres', open);
throttleContract('postgres', open);
