import { asSystem } from '#lib/adapters/sql/events/record-event.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { systemClock } from '#lib/adapters/system/system.ts';
import { aChallenge, anEmail, aRedemption, at } from '../stores/examples.ts';

// Signs users in on the given database as long as it lives, one transaction each, and reports
// their number to its parent.

const [url = ''] = process.argv.slice(2);
const { challenges, signIns } = sqlStores(await openSqlite(url));
for (let done = 1; ; done += 1) {
	const challenge = aChallenge({ email: anEmail(`busy-${done}`) });
	await challenges.issue(challenge, at(0));
	await asSystem(systemClock(), () => signIns.redeem(aRedemption(challenge)));
	process.send?.(done);
	// Lets the message be sent.
	await new Promise(setImmediate);
}
