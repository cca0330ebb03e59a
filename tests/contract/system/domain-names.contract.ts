import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DomainNames } from '#lib/domain/ports.ts';
import { rounds } from '../stores/examples.ts';
import { contract } from '../stores/suite.ts';
import { anyText } from '../../support/domain/any-text.ts';

export const domainNamesContract = contract('domain names', (open: () => DomainNames) => {
	const names = open();

	it.each([
		['example.com', 'example.com'],
		['Example.COM', 'example.com'],
		['bücher.de', 'xn--bcher-kva.de'],
		['BÜCHER.de', 'xn--bcher-kva.de'],
		['bu\u0308cher.de', 'xn--bcher-kva.de'],
		['xn--bcher-kva.de', 'xn--bcher-kva.de'],
		['XN--BCHER-KVA.de', 'xn--bcher-kva.de'],
		['faß.de', 'xn--fa-hia.de'],
		['\u0430.com', 'xn--80a.com'],
		['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
		['ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
		['example\u3002com', 'example.com']
	])('turns %s to ASCII in lower case, as browsers do', (domain, ascii) => {
		expect(names.toAscii(domain)).toBe(ascii);
	});

	it.each([
		['an empty text', ''],
		['a space', 'exa mple.com'],
		['a percent sign, which a URL parser would decode', 'ex%61mple.com'],
		['a full-width percent sign', 'ex\uff0561mple.com'],
		['a path', 'example.com/evil'],
		['a query', 'example.com?evil'],
		['a fragment', 'example.com#evil'],
		['a back slash', 'example.com\\evil'],
		['a port', 'example.com:25'],
		['user information', 'ada@example.com'],
		['a tab, which a URL parser would drop', 'example.com\t'],
		['a line break', 'exam\r\nple.com'],
		['NUL', 'example.com\0'],
		['an IPv4 address', '127.0.0.1'],
		['an abbreviated IPv4 address', '127.1'],
		['a hexadecimal IPv4 address', '0x7f.1'],
		['an IPv4 address in full-width digits', '１２７.0.0.1'],
		['an IPv6 address', '[::1]'],
		['a right-to-left override', '\u202eexample.com'],
		['a zero-width joiner out of place', 'exam\u200dple.com'],
		['a label with invalid Punycode', 'xn--a.com'],
		['Punycode of plain ASCII', 'xn--example-.com'],
		['Punycode of an upper-case letter', 'xn--Cher-kva-.com']
	])('is null for invalid domain names: %s', (_what, domain) => {
		expect(names.toAscii(domain)).toBeNull();
	});

	it('returns an ASCII form unchanged', () => {
		const label = fc.oneof(
			fc.string({ unit: 'grapheme', maxLength: 8 }),
			anyText({ maxLength: 4 }),
			fc.stringMatching(/^xn--[a-z0-9-]{0,8}$/),
			fc.stringMatching(/^[a-z0-9-]{1,8}$/)
		);
		fc.assert(
			fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
				const ascii = names.toAscii(labels.join('.'));
				if (ascii === null) return;
				expect(ascii).toMatch(/^[\0-\x7f]+$/);
				expect(ascii).toBe(ascii.toLowerCase());
				expect(names.toAscii(ascii)).toBe(ascii);
			}),
			{ numRuns: rounds(500, 5000) }
		);
	});
});
