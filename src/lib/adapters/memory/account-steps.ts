import type { NewAccount } from '#lib/domain/account/new-account.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MemoryTables } from './tables.ts';

/** A new account, with the email address that its code proved. */
export type AccountCreated = NewAccount & { readonly email: Email };

/** A part of creating an account. Everything that can be refused is checked before any is stored. */
export interface AccountCreatedStep {
	check(tables: MemoryTables, account: AccountCreated): void;
	store(tables: MemoryTables, account: AccountCreated): void;
}

/** A part of purging an account. */
export type AccountPurgedStep = (tables: MemoryTables, userId: string) => void;
