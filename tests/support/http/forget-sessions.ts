import { signIn, type SignedIn } from './client.ts';
import { liveJar } from './cookie-jar.ts';
import type { Fixture } from './fixtures.ts';

/**
 * Takes somebody's sessions out of the database behind the server's back, so that whatever still
 * answers did not look: PostgreSQL runs no trigger for it, and on SQLite the server waits with its
 * next look until `holdMonotonic(false)` lets it go.
 */
export const forgetSessions = async (
	fixture: Fixture,
	person: Pick<SignedIn, 'email'>
): Promise<void> => {
	const gone = `delete from session where user_id in
		(select id from "user" where email = '${person.email}')`;
	if (fixture.engine === 'SQLite') {
		const bystander = await signIn(fixture.server);
		await fixture.server.holdMonotonic(true);
		// The last look, with nothing to see.
		await liveJar(fixture.server, bystander);
		await fixture.database.rows(gone);
	} else {
		await fixture.database.rows(
			`set session_replication_role = replica; ${gone}; reset session_replication_role`
		);
	}
};
