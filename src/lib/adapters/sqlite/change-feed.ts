import type { Database } from 'better-sqlite3';
import type { ChangeFeed, ReliableSince } from '#lib/domain/sessions/ports.ts';
import type { Clock } from '#lib/domain/time.ts';

/**
 * SQLite shows that another process wrote (`data_version` changes), but not what. So this feed
 * reports no single change. Everything read before the last such write becomes stale.
 *
 * It checks on demand, once for all requests of one turn of the event loop. So after another
 * process has answered a write, a request to this process never gets older data.
 */
export const sqliteChangeFeed = (client: Database, clock: Clock): ChangeFeed => {
	const dataVersion = client.prepare('pragma data_version').pluck();
	/** Null when the file is fully locked, such as while SQLite reads the log after a crash. */
	const readDataVersion = (): unknown => {
		try {
			return dataVersion.get();
		} catch {
			return null;
		}
	};
	let lastVersion = readDataVersion();
	/** When the version was last read, in milliseconds of the monotonic clock. */
	let checkedAt = performance.now();
	let inThisTurn = false;
	let since: ReliableSince = { at: clock.now(), monotonicMs: checkedAt };
	let time = since.at.getTime();
	/** The latest time so far: a clock that is set back makes no stale data valid. */
	let latest = time;
	return {
		subscribe: () => {},
		reliableSince: () => {
			if (inThisTurn) return since;
			const now = performance.now();
			if (now === checkedAt) return since;
			const found = readDataVersion();
			if (found === null) return null;
			const before = time + (now - checkedAt);
			time = clock.now().getTime();
			latest = Math.max(latest, before, time);
			checkedAt = now;
			inThisTurn = true;
			setImmediate(() => (inThisTurn = false));
			if (found !== lastVersion) since = { at: new Date(latest), monotonicMs: now };
			lastVersion = found;
			return since;
		}
	};
};
