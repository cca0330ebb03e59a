import type { Database } from 'better-sqlite3';
import type { ChangeFeed, UnbrokenSince } from '#lib/domain/sessions/change-feed.ts';
import type { Clock } from '#lib/domain/ports/clock.ts';

/**
 * SQLite cannot tell what another process wrote, only that one did: `data_version` is another one
 * then. So nothing is ever told here; what was read before the last such write counts no more.
 *
 * It looks when it is asked, once for all requests of one turn of the event loop: so whoever has the
 * answer to a write of another process, and asks this one then, is not told what was before it.
 */
export const sqliteChangeFeed = (client: Database, clock: Clock): ChangeFeed => {
	const dataVersion = client.prepare('pragma data_version').pluck();
	/** Null when the file is locked altogether, as while a log is read again after a crash. */
	const look = (): unknown => {
		try {
			return dataVersion.get();
		} catch {
			return null;
		}
	};
	let seen = look();
	let lookedAt = performance.now();
	let inThisTurn = false;
	let since: UnbrokenSince = { at: clock.now(), tick: lookedAt };
	let time = since.at.getTime();
	/** The latest time it may ever have been: a clock that is set back revives nothing. */
	let latest = time;
	return {
		subscribe: () => {},
		unbrokenSince: () => {
			if (inThisTurn) return since;
			const now = performance.now();
			if (now === lookedAt) return since;
			const found = look();
			if (found === null) return null;
			const before = time + (now - lookedAt);
			time = clock.now().getTime();
			latest = Math.max(latest, before, time);
			lookedAt = now;
			inThisTurn = true;
			setImmediate(() => (inThisTurn = false));
			if (found !== seen) since = { at: new Date(latest), tick: now };
			seen = found;
			return since;
		}
	};
};
