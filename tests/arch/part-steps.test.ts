import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPartSteps, takePartOut } from '../../dev/part-steps.ts';
import { present } from '../support/http/fixtures.ts';

const page = (lines: string): string => `# Parts

## The garden: \`garden\`

\`\`\`text deleted
garden
\`\`\`

\`\`\`diff
--- list.ts
${lines}
\`\`\`

Then \`npm run db:generate\`.

## Another title

\`\`\`diff
--- list.ts
-one
\`\`\`
`;
const LIST = 'one\ntwo\n\ttwo\nthree\n';

describe('the steps of a part', () => {
	let root: string;
	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), 'postern-steps-'));
		mkdirSync(join(root, 'garden'));
		writeFileSync(join(root, 'list.ts'), LIST);
	});
	afterEach(() => rmSync(root, { recursive: true }));

	const take = (lines: string): void =>
		takePartOut(root, present(readPartSteps(page(lines)).get('garden')));
	const list = (): string => readFileSync(join(root, 'list.ts'), 'utf8');

	it('are in the sections that name a part', () => {
		const parts = readPartSteps(page('-one'));
		expect([...parts.keys()]).toEqual(['garden']);
		expect(parts.get('garden')).toMatchObject({ deleted: ['garden'], needsMigration: true });
	});

	it('delete paths, and replace lines by lines, whatever their indentation', () => {
		take(' one\n-\ttwo\n+2\n\n-three\n+3\n+4');
		expect(list()).toBe('one\n2\n\ttwo\n3\n4\n');
		expect(existsSync(join(root, 'garden'))).toBe(false);
	});

	it.each([
		['is not there', '-one\n\n-four', 'list.ts has 0 times:\nfour'],
		['is there in another order', '-one\n\n-three\n-two', 'list.ts has 0 times:\nthree\ntwo']
	])('change nothing if a line %s', (_case, lines, complaint) => {
		expect(() => take(lines)).toThrow(complaint);
		expect(list()).toBe(LIST);
		expect(existsSync(join(root, 'garden'))).toBe(true);
	});

	it('change nothing if a line is there twice', () => {
		writeFileSync(join(root, 'list.ts'), 'one\none\n');
		expect(() => take('-one')).toThrow('list.ts has 2 times:\none');
		expect(list()).toBe('one\none\n');
	});

	it('change nothing if a path to delete is missing', () => {
		rmSync(join(root, 'garden'), { recursive: true });
		expect(() => take('-one')).toThrow('garden');
		expect(list()).toBe(LIST);
	});
});
