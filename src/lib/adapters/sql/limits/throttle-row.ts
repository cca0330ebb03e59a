import { eq, sql, type SQL } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { mailboxOf, type Mailbox } from '#lib/domain/limits/mailbox.ts';
import type { CountedPlace } from '#lib/domain/limits/send-window.ts';
import { onlyRowOf, preparedStep, type Tables, type Transaction, type Work } from '../sql.ts';

/**
 * The key of a row is a text: the mailbox for sends, the email address for wrong guesses, and the
 * id of the account for sends of its known devices. For most email addresses mailbox and address are
 * the same, and one row holds both. An id has no @, so it is no email address.
 */
export const sendsKey = (email: Email, knownAs: UserId | null): Mailbox | UserId =>
	knownAs ?? mailboxOf(email);

type ThrottleTable = Tables['authThrottle'];

const PLACES = [
	['sentAt1', 'network1'],
	['sentAt2', 'network2'],
	['sentAt3', 'network3'],
	['sentAt4', 'network4'],
	['sentAt5', 'network5']
] as const;

interface LockedRow {
	/** Newest first. */
	readonly places: readonly CountedPlace[];
	/** Wrong guesses in a row. */
	readonly failures: number;
}

/** Creates the row if there is none, by an update that changes nothing otherwise. */
const lock = preparedStep((tx, { authThrottle: t }) =>
	tx
		.insert(t)
		.values({ key: sql.placeholder('key'), failures: 0 })
		.onConflictDoUpdate({ target: t.key, set: { failures: sql`${t.failures}` } })
		.returning()
);

/** Locks the row of a key until the transaction ends. */
export function* lockSends(tx: Transaction, tables: Tables, key: string): Work<LockedRow> {
	const row = yield* onlyRowOf(lock(tx, tables, { key }));
	return { places: placesOf(row), failures: row.failures };
}

/** The sends in a row, newest first. */
export const placesOf = (row: ThrottleTable['$inferSelect']): readonly CountedPlace[] =>
	PLACES.flatMap(([sentAt, network]) => {
		const at = row[sentAt];
		return at === null ? [] : { at, network: row[network] };
	});

const write = preparedStep((tx, { authThrottle: t }) =>
	tx
		.update(t)
		.set(Object.fromEntries(PLACES.flat().map((name) => [name, given(name)])))
		.where(eq(t.key, sql.placeholder('key')))
		.returning({ key: t.key })
);

/** A value that is encoded already, because an encoder of times takes no null. */
const given = (name: string): SQL => sql`${sql.placeholder(name)}`;

export function* writeSends(
	tx: Transaction,
	tables: Tables,
	key: string,
	places: readonly CountedPlace[]
): Work<void> {
	const t: ThrottleTable = tables.authThrottle;
	const values: Record<string, unknown> = { key };
	for (const [index, [sentAt, network]] of PLACES.entries()) {
		const place = places[index];
		values[sentAt] = place === undefined ? null : t[sentAt].mapToDriverValue(place.at);
		values[network] = place?.network ?? null;
	}
	yield* write(tx, tables, values);
}
