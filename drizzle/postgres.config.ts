import { defineConfig } from 'drizzle-kit';

export default defineConfig({
	dialect: 'postgresql',
	schema: './src/lib/adapters/postgres/*-tables.ts',
	out: './drizzle/postgres'
});
