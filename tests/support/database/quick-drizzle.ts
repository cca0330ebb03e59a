import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const hook = join(import.meta.dirname, 'drizzle-imports.ts');

/** Node arguments for a process that opens a database from the sources. */
export const QUICK_DRIZZLE: readonly string[] = ['--import', pathToFileURL(hook).href];
