import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const hook = join(import.meta.dirname, '../../../bin/drizzle-imports.ts');

/** Arguments of Node for a process that opens a database from the sources. */
export const QUICK_DRIZZLE: readonly string[] = ['--import', pathToFileURL(hook).href];
