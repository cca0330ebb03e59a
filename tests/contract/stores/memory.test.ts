import { memoryBacking } from '../../support/database/backing.ts';
import { storesContract } from './all-stores.ts';

storesContract('memory', memoryBacking);
