import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

/** The one statement of the purge of an account. */
const ALLOWED = ['src/lib/adapters/sql/consent/consents.ts'];

/** The places that change or remove records of consents. The table may have another name there. */
const changesIn = (text: string): readonly string[] => {
	const names = [
		'consentRecord',
		...[...text.matchAll(/\bconsentRecord: (\w+)/g)].map(([, n]) => n)
	].join('|');
	const built = new RegExp(`\\.(?:update|delete)\\(\\s*(?:\\w+\\.)?(?:${names})\\b`, 'g');
	const written = /\b(?:update|delete from)\s+["'`]?consent_record\b/gi;
	return [...text.matchAll(built), ...text.matchAll(written)].map(([found]) => found);
};

describe('records of consents', () => {
	it('are changed by the purge of their account, and by nothing else', () => {
		const files = globSync('src/**/*.ts', { cwd: projectRoot });
		expect(files.length).toBeGreaterThan(300);
		const found = files.flatMap((path) =>
			changesIn(readFileSync(join(projectRoot, path), 'utf8')).map(() => path.replaceAll('\\', '/'))
		);
		expect(found).toEqual(ALLOWED);
	});
});
