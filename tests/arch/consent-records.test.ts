import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

/** The purge of an account. */
const ALLOWED = ['src/lib/adapters/sql/consent/user-data.ts'];

/** Whether a file changes or removes records of consents. It may have its own name for the table. */
const changesRecords = (text: string): boolean => {
	const names = [
		'consentRecord',
		...[...text.matchAll(/\bconsentRecord: (\w+)/g)].map(([, n]) => n)
	];
	return (
		new RegExp(`\\.(?:update|delete)\\(\\s*(?:\\w+\\.)?(?:${names.join('|')})\\b`).test(text) ||
		/\b(?:update|delete from)\s+["'`]?consent_record\b/i.test(text)
	);
};

describe('records of consents', () => {
	it('are changed by the purge of their account, and by nothing else', () => {
		const files = globSync('src/**/*.ts', { cwd: projectRoot });
		expect(files.length).toBeGreaterThan(300);
		const found = files.filter((path) =>
			changesRecords(readFileSync(join(projectRoot, path), 'utf8'))
		);
		expect(found.map((path) => path.replaceAll('\\', '/')).sort()).toEqual(ALLOWED);
	});

	it.each([
		'tx.update(consentRecord).set({ email })',
		'tx\n.delete(\ntables.consentRecord)',
		'const { consentRecord: t } = tables; tx.update(t)',
		'sql`delete from "consent_record"`'
	])('a change is found in: %s', (text) => expect(changesRecords(text)).toBe(true));

	it.each(['tx.insert(consentRecord)', 'tx.update(userData)', 'db.select().from(consentRecord)'])(
		'no change is found in: %s',
		(text) => expect(changesRecords(text)).toBe(false)
	);
});
