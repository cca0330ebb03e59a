import { brand } from '#lib/brand/brand.ts';
import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked } from './checked.ts';

export interface DatabaseConfig {
	readonly kind: 'sqlite' | 'postgres';
	readonly url: string;
}

/** SQLite in a file by default. PostgreSQL when several instances share one database. */
export const parseDatabase = (value = 'file:./data/postern.db'): Checked<DatabaseConfig> => {
	if (/^file:./.test(value) && !/^file::memory:/.test(value))
		return ok({ kind: 'sqlite', url: value });
	if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) {
		return ok({ kind: 'postgres', url: value });
	}
	// The message does not repeat the value, because it can hold a password.
	return refuse(
		'it is neither a SQLite file nor a PostgreSQL URL',
		'Write file:./data/postern.db or postgres://user:password@host:5432/database'
	);
};

/** A TCP port, 3000 by default. */
export const parsePort = (value = '3000'): Checked<number> => {
	const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
	return port >= 1 && port <= 65535
		? ok(port)
		: refuse(`"${value}" is not a port`, 'Set it to a number from 1 to 65535');
};

/** The most emails that clients may request in an hour. */
export const parseEmailBudget = (value = 'off'): Checked<number | 'off'> => {
	if (value === 'off') return ok('off');
	const emails = /^\d{1,7}$/.test(value) ? Number(value) : 0;
	return emails >= 1
		? ok(emails)
		: refuse(
				`"${value}" is not a number of emails`,
				'Set it to the most emails that clients may request in an hour, from 1 to 9999999, or to off'
			);
};

/** The site name appears in titles and email headers, so it must be one short line. */
export const parseSiteName = (value = brand.name): Checked<string> =>
	value.length <= 60 && !/\p{Cc}/u.test(value)
		? ok(value)
		: refuse('it is too long or has several lines', 'Use at most 60 characters on one line');

export const parseSupportEmail = (
	value: string | null = brand.supportEmail
): Checked<string | null> => {
	if (value === null) return ok(null);
	return /^[^\s@<>,;:"]+@[^\s@<>,;:"]+\.[^\s@<>,;:"]+$/.test(value)
		? ok(value)
		: refuse(
				`"${value}" is not an email address`,
				'Write one plain email address, such as help@example.org'
			);
};
