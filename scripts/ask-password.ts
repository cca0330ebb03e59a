import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refused } from '#lib/adapters/sql/refused.ts';
import { storeFault } from '#lib/adapters/sql/sql.ts';

/** The server's word for a password that is wrong or was not given. */
const INVALID_PASSWORD = '28P01';

/**
 * Does something with PostgreSQL. Where the server wants a password and neither the URL nor PGPASSWORD
 * has one, it is asked for in the terminal, as `psql` does.
 * @throws Refused where nobody can be asked
 */
export const withPassword = async <T>(url: string, work: () => Promise<T>): Promise<T> => {
	const isGiven = new URL(url).password !== '' || Boolean(process.env['PGPASSWORD']);
	try {
		return await work();
	} catch (error) {
		if (isGiven || storeFault(error).reason !== INVALID_PASSWORD) throw error;
	}
	if (!process.stdin.isTTY) {
		throw new Refused(
			`PostgreSQL wants a password: set it in PGPASSWORD, or run this in a terminal to be asked for it (${INVALID_PASSWORD})`
		);
	}
	// The driver reads it from there, and no URL with it can get into a message.
	process.env['PGPASSWORD'] = await askHidden('[postern] password of PostgreSQL: ');
	return work();
};

/** Asks in the terminal and shows nothing of what is typed. */
const askHidden = async (question: string): Promise<string> => {
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
	lines.once('SIGINT', () => process.exit(130));
	// Ctrl+D closes it, and then no answer comes.
	const closed = new Promise<never>((_resolve, reject) => {
		lines.once('close', () => reject(new Refused('no password was given')));
	});
	try {
		const answer = Promise.race([closed, lines.question('')]);
		// Only now: the terminal has stopped echoing, so nothing that is typed at once is shown either.
		process.stderr.write(question);
		return await answer;
	} finally {
		lines.close();
		process.stderr.write('\n');
	}
};
