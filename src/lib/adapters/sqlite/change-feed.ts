import type { Database } from 'better-sqlite3';
import type { ChangeFeed } from '#lib/domain/sessions/ports.ts';

/**
 * SQLite shows that another process wrote (`data_version` changes), but not what. So this feed
 * reports no single change. Everything read before the last such write becomes stale.
 *
 * It checks on demand, once for all requests of one turn of the event loop. So after another
 * process has answered a write, a request to this process never gets older data.
 */
export const sqliteChangeFeed = (client: Database): ChangeFeed => {
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
	/** When the version was last read. */
	let checkedAt = performance.now();
	let inThisTurn = false;
	let since = checkedAt;
	return {
		subscribe: () => {},
		reliableSince: () => {
			if (inThisTurn) return since;
			const now = performance.now();
			if (now === checkedAt) return since;
			const found = readDataVersion();
			if (found === null) return null;
			checkedAt = now;
			inThisTurn = true;
			setImmediate(() => (inThisTurn = false));
			if (found !== lastVersion) since = now;
			lastVersion = found;
			return since;
		}
	};
};
