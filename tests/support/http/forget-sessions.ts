import { signIn, type SignedIn } from './client.ts';
import { liveJar } from './live-jar.ts';
import type { World } from './worlds.ts';

/**
 * Takes somebody's sessions out of the database behind the server's back, so that whatever still
 * answers did not look: PostgreSQL runs no trigger for it, and on SQLite the server waits with its
 * next look until `holdMonotonic(false)` lets it go.
 */
export const forgetSessions = async (
	world: World,
	person: Pick<SignedIn, 'email'>
): Promise<void> => {
	const gone = `delete from session where user_id in
		(select id from "user" where email = '${person.email}')`;
	if (world.engine === 'SQLite') {
		const bystander = await signIn(world.server);
		await world.server.holdMonotonic(true);
		// The last look, with nothing to see.
		await liveJar(world.server, bystander);
		await world.database.rows(gone);
	} else {
		await world.database.rows(
			`set session_replication_role = replica; ${gone}; reset session_replication_role`
		);
	}
};
