import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { OperatorError } from '#lib/operator-messages.ts';
import { storeFault } from '#lib/adapters/sql/sql.ts';

/** The server's code for a wrong or missing password. */
const INVALID_PASSWORD = '28P01';

/**
 * Runs work that connects to PostgreSQL. If the server requires a password and neither the URL
 * nor PGPASSWORD has one, this asks for it in the terminal, as `psql` does.
 *
 * @throws OperatorError when there is no terminal
 */
export const withPassword = async <T>(url: string, work: () => Promise<T>): Promise<T> => {
	const isGiven = new URL(url).password !== '' || Boolean(process.env['PGPASSWORD']);
	try {
		return await work();
	} catch (error) {
		if (isGiven || storeFault(error).reason !== INVALID_PASSWORD) throw error;
	}
	if (!process.stdin.isTTY) {
		throw new OperatorError(
			`PostgreSQL requires a password. Set PGPASSWORD, or run this command in a terminal to enter it (${INVALID_PASSWORD})`
		);
	}
	// The driver reads PGPASSWORD. This way no error message can contain a URL with the password.
	process.env['PGPASSWORD'] = await askHidden('[postern] PostgreSQL password: ');
	return work();
};

/** Asks in the terminal without echo. */
const askHidden = async (question: string): Promise<string> => {
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
	lines.once('SIGINT', () => process.exit(130));
	// Ctrl+D closes the prompt without an answer.
	const closed = new Promise<never>((_resolve, reject) => {
		lines.once('close', () => reject(new OperatorError('no password was given')));
	});
	try {
		const answer = Promise.race([closed, lines.question('')]);
		// Printed last: the terminal no longer echoes, so even immediate typing stays hidden.
		process.stderr.write(question);
		return await answer;
	} finally {
		lines.close();
		process.stderr.write('\n');
	}
};
