import { signIn, type SignedIn } from './client.ts';
import { liveJar } from './cookie-jar.ts';
import type { Fixture } from './fixtures.ts';

/**
 * Deletes a user’s sessions from the database without the server’s knowledge, so that an accepted
 * request came from a cache: PostgreSQL runs no trigger, and on SQLite the server’s next check
 * waits until `holdMonotonic(false)`.
 */
export const forgetSessions = async (
	fixture: Fixture,
	person: Pick<SignedIn, 'email'>
): Promise<void> => {
	const deletion = `delete from session where user_id in
		(select id from "user" where email = '${person.email}')`;
	if (fixture.engine === 'SQLite') {
		const bystander = await signIn(fixture.server);
		await fixture.server.holdMonotonic(true);
		// The last check, with nothing to find.
		await liveJar(fixture.server, bystander);
		await fixture.database.rows(deletion);
	} else {
		await fixture.database.rows(
			`set session_replication_role = replica; ${deletion}; reset session_replication_role`
		);
	}
};
