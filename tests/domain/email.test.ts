import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { maskEmail, parseEmail, type Email } from '#lib/domain/email.ts';
import type { DomainNames } from '#lib/domain/ports.ts';
import { anyText } from '../support/domain/any-text.ts';

const names = nodeDomainNames();
const parse = (input: string): string | null => {
	const parsed = parseEmail(input, names);
	return parsed.ok ? parsed.value : null;
};
const bytes = (text: string): number => Buffer.byteLength(text);

describe('an address', () => {
	it.each([
		['ada@example.com', 'ada@example.com'],
		['I01: spaces around it', '  ada@example.com\t\n', 'ada@example.com'],
		['I01: full-width letters', 'ａｄａ@ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
		['I01: a no-break space around it', '\u00a0ada@example.com', 'ada@example.com'],
		['I04: capitals', 'User@Example.COM', 'user@example.com'],
		['I04: the Kelvin sign, which is a K', '\u212aelvin@example.com', 'kelvin@example.com'],
		['I04: a capital I is no dotless one', 'INFO@EXAMPLE.COM', 'info@example.com'],
		['I04: sharp s in a domain', 'a@FAẞ.de', 'a@xn--fa-hia.de'],
		['I05: an umlaut domain', 'user@bücher.de', 'user@xn--bcher-kva.de'],
		['I05: decomposed', 'user@bu\u0308cher.de', 'user@xn--bcher-kva.de'],
		['I05: already converted', 'user@XN--bcher-kva.de', 'user@xn--bcher-kva.de'],
		['I05: another script', 'a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
		['I06: tags', 'ada+postern@gmail.com', 'ada+postern@gmail.com'],
		['I06: dots', 'a.d.a@gmail.com', 'a.d.a@gmail.com'],
		['what a dot-atom allows', "#$&'*+/=^_`{|}~-@example.com", "#$&'*+/=^_`{|}~-@example.com"],
		['a single letter each', 'a@b.c', 'a@b.c'],
		['digits', '1@2.co', '1@2.co'],
		['a subdomain', 'a@mail.example.co.uk', 'a@mail.example.co.uk'],
		['an apostrophe', "o'brien@example.com", "o'brien@example.com"]
	])('is accepted in its canonical form: %s', (...row) => {
		const [input, canonical] = row.slice(-2) as [string, string];
		expect(parse(input)).toBe(canonical);
	});

	it.each([
		['an empty text', ''],
		['only white space', ' \t\n'],
		['no @', 'ada'],
		['no local part', '@example.com'],
		['no domain', 'ada@'],
		['two addresses with a comma between them', 'a@b.com,evil@x.com'],
		['two addresses with a space between them', 'a@b.com evil@x'],
		['a display name', '"x" <a@b.com>'],
		['a quoted local part', '"a@evil.com x"@victim.com'],
		['an address literal', 'a@[1.2.3.4]'],
		['a bare IPv4 address', 'a@1.2.3.4'],
		['a hexadecimal IPv4 address', 'a@0x7f.1'],
		['a comment', 'a(b)@c.com'],
		['a source route', '@a,@b:c@d.com'],
		['two @ signs', 'a@b@c'],
		['a full-width @', 'a\uff20b.com'],
		['a full-width comma', 'a@b.com\uff0cevil'],
		['an encoded word', '=?utf-8?q?a=40evil?=@b.com'],
		['a header', 'a@b.com\r\nBcc: e@x'],
		['a percent-encoded domain', 'a@%65xample.com'],
		['NUL', '\u0000'],
		['an isolate at the end', 'a@b.com\u2069'],
		['a byte order mark before the address', '\ufeffa@b.com'],
		['a grapheme joiner in the domain', 'a@b\u034f.com'],
		['a leading dot', '.a@b.com'],
		['a trailing dot', 'a.@b.com'],
		['two dots', 'a..b@c.com'],
		['a trailing dot in the domain', 'a@b.com.'],
		['a domain of one label', 'a@localhost'],
		['a numeric last label', 'a@b.123'],
		['a leading hyphen', 'a@-b.com'],
		['a trailing hyphen', 'a@b-.com'],
		['a port', 'a@b.com:25'],
		['a full-width path', 'a@b.com／evil'],
		['a group', 'g:a@b,c@d;'],
		['a lone surrogate', 'a\ud800@b.com'],
		['Punycode that decodes to nothing', 'a@xn--a.com'],
		['10,000 nested brackets', `${'('.repeat(10_000)}a@b.com`]
	])(
		'I02: is refused, never shortened to one: %s (GHSA-phx7-w8x2-3xgf, CVE-2022-35924, GHSA-xv97-c62v-4587, GHSA-7rqj-j65f-68wh, GHSA-5jpx-9hw9-2fx4, CVE-2015-9097, GHSA-mvxr-6m87-mv2q, CVE-2025-13033, GHSA-mm7p-fcc7-pg87, CVE-2025-14874)',
		(_what, input) => {
			expect(parse(input)).toBeNull();
		}
	);

	it('I04: lower-casing depends on no language: Turkish, sharp s and final sigma are stable', () => {
		for (const input of [
			'I@İI.com',
			'a@ΣΑΣ.gr',
			'a@σας.gr',
			'a@σασ.gr',
			'a@STRASSE.de',
			'a@straße.de'
		]) {
			const once = parse(input);
			if (once !== null) expect(parse(once)).toBe(once);
		}
		expect(parse('a@STRASSE.de')).not.toBe(parse('a@straße.de'));
		expect(parse('a@ΣΑΣ.gr')).not.toBeNull();
	});

	it('I05: a Cyrillic а in a domain makes another address than a Latin a, and shows as Punycode', () => {
		expect(parse('ada@\u0430pple.com')).toBe('ada@xn--pple-43d.com');
		expect(parse('ada@apple.com')).toBe('ada@apple.com');
	});

	it('I07: 64 bytes before the @ are accepted, 65 are not', () => {
		expect(parse(`${'a'.repeat(64)}@b.com`)).not.toBeNull();
		expect(parse(`${'a'.repeat(65)}@b.com`)).toBeNull();
	});

	it('I07: a label of 63 bytes is accepted, one of 64 is not', () => {
		expect(parse(`a@${'b'.repeat(63)}.com`)).not.toBeNull();
		expect(parse(`a@${'b'.repeat(64)}.com`)).toBeNull();
	});

	it('I07: 254 bytes are accepted, 255 are not', () => {
		const label = 'b'.repeat(62);
		const ofLength = (length: number): string => {
			const rest = `@${label}.${label}.${label}.com`;
			return 'a'.repeat(length - rest.length) + rest;
		};
		expect(bytes(ofLength(254))).toBe(254);
		expect(parse(ofLength(254))).toBe(ofLength(254));
		expect(parse(ofLength(255))).toBeNull();
	});

	it('I07: 512 characters are parsed, white space included, and more are not', () => {
		expect(parse('ada@example.com'.padEnd(512))).toBe('ada@example.com');
		expect(parse('ada@example.com'.padEnd(513))).toBeNull();
	});

	it('I07: lengths are those after conversion, in bytes', () => {
		const umlauts = (count: number): string | null => parse(`a@${'ü'.repeat(count)}.de`);
		const longest = Array.from({ length: 63 }, (_, n) => n + 1).filter((n) => umlauts(n) !== null);
		const most = longest.at(-1) ?? 0;
		expect(most).toBeGreaterThan(20);
		expect(most).toBeLessThan(63);
		const label = umlauts(most)?.slice(2, -3) ?? '';
		expect(bytes(label)).toBeLessThanOrEqual(63);
		expect(umlauts(most + 1)).toBeNull();
	});

	it('refuses domains that the converter refuses', () => {
		const none: DomainNames = { toAscii: () => null };
		expect(parseEmail('ada@example.com', none).ok).toBe(false);
	});

	it('checks that the converter returned a host name', () => {
		for (const ascii of [
			'',
			'com',
			'a b.com',
			'a@b.com',
			'a.com/x',
			'1.2.3.4',
			'A.com',
			'a..com'
		]) {
			expect(parseEmail('ada@example.com', { toAscii: () => ascii }).ok).toBe(false);
		}
	});

	it('is masked but for its first letter and its domain', () => {
		expect(maskEmail('ada@example.com' as Email)).toBe('a•••@example.com');
		expect(maskEmail('a@b.c' as Email)).toBe('a•••@b.c');
	});
});

describe('any string at all (I03)', () => {
	const special = fc.constantFrom(
		...'@@@@....,;:<>()[]"\\ \t\r\n\0%!?=+-_&\u200b\u202e\ufeff\uff20\ufe6b\u037e\u3002ａ．ßİıſK\u00adŒé\ud800'
	);
	const letters = fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/);
	const almost = fc
		.tuple(
			fc.array(fc.oneof(letters, letters, special), { minLength: 1, maxLength: 4 }),
			fc.array(fc.oneof(letters, letters, letters, special), { minLength: 1, maxLength: 4 }),
			fc.constantFrom('.com', '.de', '.テスト', '', '.')
		)
		.map(([local, domain, end]) => `${local.join('')}@${domain.join('')}${end}`);
	const binary = anyText({ maxLength: 12 });
	const wild = fc.tuple(binary, binary).map(([local, domain]) => `${local}@${domain}.com`);
	const wildDomain = binary.map((domain) => `a@${domain}.com`);

	let accepted = 0;
	const holds = (input: string): boolean => {
		const canonical = parse(input);
		if (canonical === null) return true;
		accepted += 1;
		const at = canonical.indexOf('@');
		const local = canonical.slice(0, at);
		const domain = canonical.slice(at + 1);
		return (
			at > 0 &&
			canonical.lastIndexOf('@') === at &&
			// Printable ASCII without space, specials of RFC 5322 and capitals.
			/^[#$&'*+\-./0-9=^_`a-z{|}~]+@[a-z0-9.-]+$/.test(canonical) &&
			!/^\.|\.\.|\.@|@\.|\.$/.test(canonical) &&
			bytes(canonical) <= 254 &&
			bytes(local) <= 64 &&
			names.toAscii(domain) === domain &&
			parse(canonical) === canonical &&
			// Never shortened: no visible character of the local part is lost.
			local.length >= [...input.slice(0, input.indexOf('@')).trim()].length
		);
	};

	it('I03: an accepted address has one @ and no special characters, is short enough, and parses to itself', () => {
		fc.assert(fc.property(almost, holds), { numRuns: 10_000 });
		fc.assert(fc.property(wild, holds), { numRuns: 3_000 });
		fc.assert(fc.property(wildDomain, holds), { numRuns: 5_000 });
		// Otherwise the check above would have proved nothing.
		expect(accepted).toBeGreaterThan(1_500);
	});

	it('I03: the same for every single character in an address, and none of them is dropped', () => {
		// The basic plane, of its ideographs only some, and the invisible characters far beyond it.
		for (let point = 0; point <= 0xe01ef; point += 0x3400 <= point && point < 0xf800 ? 29 : 1) {
			if (point === 0x10000) point = 0xe0000;
			const character = String.fromCodePoint(point);
			const ofLocal = `a${character}b@c.com`;
			const ofDomain = `a@b${character}c.com`;
			const vanishes = parse(ofLocal) === 'ab@c.com' || parse(ofDomain) === 'a@bc.com';
			if (vanishes || !holds(ofLocal) || !holds(ofDomain)) {
				expect.fail(`U+${point.toString(16)} breaks a promise`);
			}
		}
	});
});

describe('a text of a million characters', () => {
	it.each<[string, (n: number) => string]>([
		['letters', (n) => 'a'.repeat(n)],
		['local part', (n) => `${'a'.repeat(n)}@`],
		['dots', (n) => `${'a.'.repeat(n / 2)}@b.com`],
		['domain labels', (n) => `a@${'b.'.repeat(n / 2)}`],
		['hyphens', (n) => `a@${'-'.repeat(n)}`],
		['letters and hyphens', (n) => `a@${'b-'.repeat(n / 2)}`],
		['brackets', (n) => '('.repeat(n)],
		['at signs', (n) => '@'.repeat(n)],
		['white space', (n) => ' '.repeat(n)],
		['combining marks', (n) => `a@b${'\u0308'.repeat(n)}`]
	])(
		// Quadratic time would exceed the time limit of a test.
		'I09: is refused, whatever it repeats: %s (GHSA-9h6g-pr28-7cqp)',
		(_what, input) => {
			expect(parse(input(1_000_000))).toBeNull();
		}
	);
});
