import { getMigrations } from 'better-auth/db/migration';
import { auth } from './src/lib/auth.ts';
import { database } from './src/lib/database.ts';

/** Migrates the database as `better-auth migrate` does, so that the measured start does not. */
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();

/** Of the application, not of better-auth. */
database.exec(`
	create table if not exists purchase (
		id text primary key,
		userId text not null references user (id),
		product text not null,
		status text not null,
		createdAt integer not null
	);
	create index if not exists purchase_user on purchase (userId);
	create index if not exists session_user on session (userId);
`);
