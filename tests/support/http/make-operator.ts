import type { Database } from './database.ts';

/** What `npm run admin grant` stores, without starting it. */
export const makeOperator = async (database: Database, email: string): Promise<void> =>
	void (await database.rows(`update "user" set role = 'operator' where email = '${email}'`));
