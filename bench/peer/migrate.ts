import { getMigrations } from 'better-auth/db/migration';
import { auth } from './src/lib/auth.ts';

/** What `better-auth migrate` does when a new version is installed, so that no start has to. */
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
