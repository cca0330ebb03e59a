import { memoryBacking } from '../../support/database/backing.ts';
import { storesContract } from './stores.contract.ts';

storesContract('memory', memoryBacking);
