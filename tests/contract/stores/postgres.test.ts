import { inject } from 'vitest';
import { postgresBacking } from '../../support/database/backing.ts';
import { sharedChangesContract } from '../sessions/change-feed.contract.ts';
import { storesContract } from './all-stores.ts';
import { shared } from './suite.ts';

const open = shared(() => postgresBacking(inject('postgresUrl')));

storesContract('postgres', open);
sharedChangesContract('postgres', open);
