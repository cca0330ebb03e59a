import type { NewAccount } from '#lib/domain/account/new-account.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { Sql, Tables, Transaction, Work } from './sql.ts';

/** A new account, with the email address that its code proved. */
export type AccountCreated = NewAccount & { readonly email: Email };

/** A step of the transaction that creates an account, after the account itself. */
export type AccountCreatedStep = (
	database: Sql,
	tx: Transaction,
	account: AccountCreated
) => Work<void>;

/** A step of the transaction that purges accounts, before the accounts themselves. */
export type AccountsPurgedStep = (
	tx: Transaction,
	tables: Tables,
	purged: readonly UserId[]
) => Work<void>;
