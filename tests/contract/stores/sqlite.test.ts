import { sqliteBacking } from '../../support/database/backing.ts';
import { sharedChangesContract } from '../sessions/change-feed.contract.ts';
import { storesContract } from './stores.contract.ts';

storesContract('sqlite', sqliteBacking);
sharedChangesContract('sqlite', sqliteBacking);
