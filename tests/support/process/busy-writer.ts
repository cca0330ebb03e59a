import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { aChallenge, anEmail, aRedemption, at } from '../../contract/stores/examples.ts';

// Signs people in on the database it is given for as long as it lives, a transaction each, and
// tells its parent how many are in.

const [url = ''] = process.argv.slice(2);
const { challenges, signIns } = sqlStores(await openSqlite(url));
for (let done = 1; ; done += 1) {
	const challenge = aChallenge({ email: anEmail(`busy-${done}`) });
	await challenges.issue(challenge, at(0));
	await signIns.redeem(aRedemption(challenge));
	process.send?.(done);
	// Lets the message go out.
	await new Promise(setImmediate);
}
