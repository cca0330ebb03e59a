import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { tables } from '#lib/adapters/postgres/schema.ts';
import type { readAccountData } from '#lib/domain/account/use-cases.ts';
import type { Pruned } from '#lib/domain/tasks/prune-expired.ts';

/*
 * A new table must say here whether the export of a person has its rows, and what removes them. Add
 * it to the export, or give the reason why not.
 */

type Name = keyof typeof tables;
type Part = keyof Awaited<ReturnType<typeof readAccountData>> | 'events';
const names = Object.keys(tables).toSorted();

/** The part of the export that has the rows of a person. */
const exported: Readonly<Record<Part, readonly Name[]>> = {
	account: ['user', 'userData'],
	sessions: ['session'],
	devices: ['device'],
	pendingChange: ['verification'],
	undoable: ['emailUndo'],
	applications: ['oidcGrant'],
	consent: ['consentRecord'],
	purchases: ['purchase'],
	events: ['event']
};

const notExported: Readonly<Partial<Record<Name, string>>> = {
	linkedAccount: 'nothing writes it',
	unsubscribeLink: 'hashes of links that were sent to the person',
	emailOutbox: 'sealed until it is sent to the person',
	authThrottle: 'counts that end after the window',
	siteCount: 'counts',
	spentProof: 'hashes of puzzles',
	oidcClient: 'applications',
	oidcKey: 'keys of the service',
	oidcRecord: 'hashes of what applications hold, which end with the grant',
	taskRun: 'tasks'
};

/** What the daily tasks prune. */
const pruned: Readonly<Record<keyof Pruned, Name>> = {
	throttleRows: 'authThrottle',
	codes: 'verification',
	sessions: 'session',
	devices: 'device',
	counts: 'siteCount',
	proofs: 'spentProof',
	failedEmails: 'emailOutbox',
	emailUndos: 'emailUndo',
	oidcRecords: 'oidcRecord',
	events: 'event'
};

const notPruned: Readonly<Partial<Record<Name, string>>> = {
	user: 'the purge removes it',
	consentRecord: 'the purge blanks it',
	oidcClient: 'operators remove it',
	oidcKey: 'one row for each key',
	taskRun: 'a claim removes the earlier ones'
};

/** Whether the rows of a table end with their account. */
const endsWithAccount = (table: PgTable): boolean =>
	getTableConfig(table).foreignKeys.some(({ onDelete, reference }) => {
		const { foreignTable } = reference();
		return (
			onDelete === 'cascade' && (foreignTable === tables.user || endsWithAccount(foreignTable))
		);
	});

describe('personal data', () => {
	it('is in the export, from every table', () => {
		const listed = [...Object.values(exported).flat(), ...Object.keys(notExported)];
		expect(listed.toSorted()).toEqual(names);
	});

	it('is removed, from every table', () => {
		const ending = Object.entries(tables).filter(([, table]) => endsWithAccount(table));
		const listed = [...Object.values(pruned), ...Object.keys(notPruned)];
		expect([...new Set([...ending.map(([name]) => name), ...listed])].toSorted()).toEqual(names);
	});
});
