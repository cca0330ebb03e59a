import { getMigrations } from 'better-auth/db/migration';
import { auth } from './src/lib/auth.ts';

/** Migrates the database as `better-auth migrate` does, so that the measured start does not. */
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
