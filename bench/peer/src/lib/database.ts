import Database from 'better-sqlite3';

// The build loads this module too, where no file is configured.
export const database = new Database(process.env['DATABASE_FILE'] ?? ':memory:');
database.pragma('journal_mode = WAL');
