import { defineConfig } from 'drizzle-kit';

export default defineConfig({
	dialect: 'sqlite',
	schema: './src/lib/adapters/sqlite/schema.ts',
	out: './drizzle/sqlite'
});
