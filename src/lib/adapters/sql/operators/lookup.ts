import { and, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import { mailboxOf } from '#lib/domain/limits/mailbox.ts';
import type { ManagedAccount, Operators } from '#lib/domain/operators/ports.ts';
import { userColumns } from '../rows.ts';
import type { Sql } from '../sql.ts';

/** Sorts after every character of an email address. */
const LAST = '\u{10ffff}';

type Lookup = Pick<Operators, 'isOperator' | 'list' | 'find' | 'sendsOf'>;

/** What operators read. */
export const sqlAccountLookup = ({ db, tables, run }: Sql): Lookup => {
	const { user, authThrottle } = tables;
	const { deletedAt, blockedAt, role } = user;
	const accounts = () =>
		db.select({ user: userColumns(tables), deletedAt, blockedAt, role }).from(user);

	return {
		isOperator: async (id) => {
			const isActive = and(isNull(deletedAt), isNull(blockedAt));
			const found = await run(() =>
				accounts().where(and(eq(user.id, id), eq(role, 'operator'), isActive))
			);
			return found.length > 0;
		},

		list: ({ prefix, after, limit }) => {
			// A range of the index of email addresses, which sorts by bytes on both engines.
			const range = and(
				gte(user.email, prefix as Email),
				after === null ? undefined : gt(user.email, after as Email),
				lt(user.email, (prefix + LAST) as Email)
			);
			return run(() => accounts().where(range).orderBy(user.email).limit(limit));
		},

		find: async (id): Promise<ManagedAccount | null> => {
			const [found] = await run(() => accounts().where(eq(user.id, id)));
			return found ?? null;
		},

		sendsOf: async ({ user: { id, email } }) => {
			const mailbox = mailboxOf(email);
			const counts = await run(() =>
				db
					.select()
					.from(authThrottle)
					.where(inArray(sql<string>`${authThrottle.key}`, [mailbox, id, email]))
			);
			const rowOf = (key: string) => counts.find((row) => row.key === key);
			const sentTo = (key: string): readonly Date[] => {
				const row = rowOf(key);
				if (row === undefined) return [];
				const { sentAt1, sentAt2, sentAt3, sentAt4, sentAt5 } = row;
				return [sentAt1, sentAt2, sentAt3, sentAt4, sentAt5].filter((sentAt) => sentAt !== null);
			};
			const wrongGuesses = rowOf(email)?.failures ?? 0;
			return { mailbox: sentTo(mailbox), devices: sentTo(id), wrongGuesses };
		}
	};
};
