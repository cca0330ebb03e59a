import { makeTables } from '../sql/tables.ts';
import { columns } from './columns.ts';

export const tables = makeTables(columns);
