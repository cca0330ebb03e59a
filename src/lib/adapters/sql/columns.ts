import type { columns } from '../postgres/columns.ts';

/** The functions that define tables and their columns. The types are PostgreSQL's. */
export type Columns = typeof columns;
