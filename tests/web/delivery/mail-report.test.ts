import { describe, expect, it } from 'vitest';
import { figuresOf, type HostCount } from '#lib/domain/index.ts';
import { start } from '../../support/domain/builders.ts';
import { aCount, codesOf, google, yahoo } from '../../support/domain/figures.ts';
import { reportLines } from '../../../bin/mail-report.ts';

const lines = (...counts: readonly (readonly HostCount[])[]) =>
	reportLines(figuresOf(counts.flat()));

describe('bin/mail report', () => {
	it('says when there are no codes', () => {
		expect(lines()).toEqual(['no codes yet: none was sent in the last seven days']);
	});

	it('aligns the figures of each host', () => {
		const refused = [aCount(start, yahoo, 'refused', 12), aCount(start, google, 'again', 31)];
		const slow = [aCount(start, google, 'within_240', 100)];
		expect(lines(codesOf(start, 1204, 1000), slow, codesOf(start, 60, 0, yahoo), refused)).toEqual([
			'codes of the last seven days, by the mail host of their recipients',
			'mail host     sent  entered        median   95 %  again  refused',
			'google.com    1204     1100  91 %    18 s  207 s     31        0',
			'yahoodns.net    60        0   0 %       -      -      0       12'
		]);
	});

	it('has no share for a host that only refused', () => {
		const [, , line] = lines([aCount(start, yahoo, 'refused', 3)]);
		expect(line).toMatch(/^yahoodns\.net +0 +0 +- +- +0 +3$/);
	});
});
