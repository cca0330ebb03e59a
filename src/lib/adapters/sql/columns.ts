import type { columns } from '../postgres/columns.ts';

/** What tables are defined with. The types are PostgreSQL's. */
export type Columns = typeof columns;
