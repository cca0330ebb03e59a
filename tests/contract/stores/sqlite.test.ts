import { sqliteBacking } from '../../support/database/backing.ts';
import { sharedChangesContract } from '../sessions/change-feed.contract.ts';
import { storesContract } from './all-stores.ts';
import { shared } from './suite.ts';

const open = shared(sqliteBacking);

storesContract('sqlite', open);
sharedChangesContract('sqlite', open);
