import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	me,
	newAddress,
	sendCode,
	times,
	verifyCode,
	SEND
} from '../../support/http/client.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const INVALID = [400, { message: 'Invalid email', code: 'INVALID_EMAIL' }];

onBothInLongForm(
	(fixture) => {
		const codesPrinted = (): number =>
			fixture.server.output().split('[postern] sign-in code for ').length - 1;
		/** Requests a code with one spelling and signs in with another. Returns the account. */
		const accountOf = async (requested: string, canonical: string, spelled = requested) => {
			const before = fixture.server.codesSentTo(canonical);
			expect([(await sendCode(fixture.server, requested)).status, requested]).toEqual([
				200,
				requested
			]);
			const code = await fixture.server.codeFor(canonical, before + 1);
			const answer = await verifyCode(fixture.server, spelled, code);
			expect([answer.status, spelled]).toEqual([200, spelled]);
			const { token } = answer.json() as { token: string };
			const user = (await me(fixture.server, bearer(token)))?.user;
			expect(user?.['email']).toBe(canonical);
			return user?.['id'];
		};

		test('I02 I07 input that is not exactly one plain address is refused, never shortened to one, and nothing is sent (GHSA-phx7-w8x2-3xgf, CVE-2022-35924, GHSA-xv97-c62v-4587, GHSA-7rqj-j65f-68wh, GHSA-5jpx-9hw9-2fx4, CVE-2015-9097, GHSA-mvxr-6m87-mv2q, CVE-2025-13033, GHSA-mm7p-fcc7-pg87, CVE-2025-14874)', async () => {
			const label = (length: number): string => 'd'.repeat(length);
			const refused = [
				...['a@b.com,evil@x.com', 'a@b.com;evil@x.com', 'a@b.com evil@x.com', '<a@b.com>'],
				...['"x" <a@b.com>', '"a@evil.com x"@victim.com', '"a"@b.com', 'a@[1.2.3.4]', 'a(b)@c.com'],
				...[
					'@a,@b:c@d.com',
					'a@b@c',
					'a@b@c.com',
					'a＠b.com',
					'a﹫b.com',
					'x＠y@b.com',
					'a;@b.com'
				],
				...['=?utf-8?q?a=40evil?=@b.com', 'a@b.com\r\nBcc: e@x.com', 'a@b.com\nx', 'a%0d%0a@b.com'],
				...[
					'a\0@b.com',
					'a@b.com\0',
					'a@b\u0000.com',
					'a\u202e@b.com',
					'a\u200b@b.com',
					'a@b\u200d.com'
				],
				...[
					'\ufeffa@b.com',
					'a@b.com\u2060',
					'.a@b.com',
					'a.@b.com',
					'a..b@c.com',
					'g:a@b.com,c@d.com;'
				],
				...[
					'a@b',
					'a@.com',
					'a@b..com',
					'a@b.com.',
					'a@-b.com',
					'a@b-.com',
					'a@1.2.3.4',
					'a@b.123'
				],
				...[
					'',
					' ',
					'@',
					'a@',
					'@b.com',
					'a',
					'mailto:a@b.com',
					'a@b.com/x',
					'a@b.com:25',
					'ad a@b.com'
				],
				...[
					'a@b_c.com',
					'a@b!c.com',
					'a!b@c.com',
					'a%b@c.com',
					'ä@b.com',
					'a\\@b.com',
					'a@b.com\\',
					"a@b.com'--"
				],
				...['('.repeat(10_000), `${'('.repeat(200)}a@b.com`, `${'a'.repeat(65)}@b.com`],
				...[`a@${label(64)}.com`, `a@${[63, 63, 63, 62].map(label).join('.')}`, 'a@xn--\u00df.com'],
				...['a@b.com\u037e', 'a@ⓑ,c.com', `${'a'.repeat(60_000)}@b.com`, 'a@😀.invalid,x@y.com']
			];
			const before = codesPrinted();
			for (const email of refused) {
				const answer = await sendCode(fixture.server, email);
				expect([answer.status, answer.json(), email.slice(0, 80)]).toEqual([
					...INVALID,
					email.slice(0, 80)
				]);
			}
			await sendCode(fixture.server, newAddress());
			expect(codesPrinted() - before).toBe(1);
			expect(await fixture.database.rows(`select email from auth_throttle`)).toHaveLength(1);
		});

		test('I02 a code check with an address that is not plain is INVALID_OTP and changes nothing', async () => {
			const email = newAddress();
			await sendCode(fixture.server, email);
			const code = await fixture.server.codeFor(email);
			for (const spelled of [
				`${email},evil@x.com`,
				`<${email}>`,
				`"x" <${email}>`,
				email.replace('@', '＠')
			]) {
				const answer = await verifyCode(fixture.server, spelled, code);
				expect([answer.status, answer.json()]).toEqual([
					400,
					{ message: 'Invalid OTP', code: 'INVALID_OTP' }
				]);
			}
			expect((await verifyCode(fixture.server, email, code)).status).toBe(200);
		});

		test('I01 I04 I05 spellings of one address are one account', async () => {
			const local = newAddress('one').split('@')[0];
			const id = await accountOf(`${local}@example.com`, `${local}@example.com`);
			for (const spelled of [`${local?.toUpperCase()}@Example.COM`, `  ${local}@example.com\t`]) {
				expect(await accountOf(spelled, `${local}@example.com`)).toBe(id);
			}
			const full = `${local}@ｅｘａｍｐｌｅ.com`;
			expect(await accountOf(full, `${local}@example.com`, `${local}@example.com`)).toBe(id);

			const german = await accountOf(`${local}@bücher.de`, `${local}@xn--bcher-kva.de`);
			expect(
				await accountOf(
					`${local}@XN--BCHER-KVA.de`,
					`${local}@xn--bcher-kva.de`,
					`${local}@BÜCHER.DE`
				)
			).toBe(german);
		});

		test('I05 I06 look-alikes, dots and tags are separate accounts', async () => {
			const local = newAddress('own').split('@')[0];
			const ids = [
				await accountOf(`${local}@apple.com`, `${local}@apple.com`),
				// The first letter is Cyrillic.
				await accountOf(`${local}@аpple.com`, `${local}@xn--pple-43d.com`),
				await accountOf(`${local}+tag@apple.com`, `${local}+tag@apple.com`),
				await accountOf(
					`${local?.slice(0, 2)}.${local?.slice(2)}@apple.com`,
					`${local?.slice(0, 2)}.${local?.slice(2)}@apple.com`
				)
			];
			expect(new Set(ids).size).toBe(4);
		});

		test('R16 B06 the variants of one mailbox share five sends and sign in to separate accounts', async () => {
			const local = present(newAddress('shared').split('@')[0]);
			const variants = [
				`${local}@gmail.com`,
				`${local}+tag@gmail.com`,
				`s.${local.slice(1)}@gmail.com`
			];
			const ids = [];
			for (const variant of variants) ids.push(await accountOf(variant, variant));
			expect(new Set(ids).size).toBe(3);
			for (const [tag, status] of [200, 200, 429, 429].entries()) {
				const variant = `${local}+${tag}@googlemail.com`;
				expect([variant, (await sendCode(fixture.server, variant)).status]).toEqual([
					variant,
					status
				]);
			}
			for (const variant of variants) {
				const refused = await sendCode(fixture.server, variant);
				expect([refused.status, refused.headers['retry-after']]).toEqual([
					429,
					expect.stringMatching(/^[1-9]\d*$/)
				]);
			}
		});

		test('I07 the longest address is accepted: 254 bytes, a local part of 64, a label of 63', async () => {
			const local = newAddress('x').split('@')[0]?.padEnd(64, 'y') ?? '';
			const longest = `${local}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(57)}.com`;
			expect(longest).toHaveLength(254);
			await accountOf(longest, longest);
			expect((await sendCode(fixture.server, longest.replace('.com', '.comm'))).json()).toEqual(
				INVALID[1]
			);
			// Counted after conversion: 150 characters, and more than 254 bytes.
			const unicode = `a@${times(10, () => 'é漢ø字ß語ñ仮ü名ż한å').join('.')}.com`;
			expect(domainToASCII(unicode.slice(2)).length).toBeGreaterThan(254);
			expect((await sendCode(fixture.server, unicode)).json()).toEqual(INVALID[1]);
		});

		test('I08 an address that is not a string is a clean 400', async () => {
			for (const email of [
				['a@b.com'],
				{},
				5,
				null,
				true,
				[['a@b.com']],
				{ toString: 'a@b.com' }
			]) {
				const answer = await call(fixture.server, SEND, { json: { email } });
				expect([answer.status, answer.json()]).toEqual([
					400,
					{ message: expect.stringMatching(/^\[body\.email\] /), code: 'VALIDATION_ERROR' }
				]);
			}
		});

		test('I08 L01 a hostile address typed into the form is shown as text', async () => {
			const typed = '"><img src=x onerror=alert(1)>@example.com';
			const page = await openBrowser(fixture.server).post('/auth/sign-in?/request', {
				email: typed,
				__superform_id: 'email'
			});
			expect(page.status).toBe(400);
			expect(page.text).not.toContain('<img src=x');
			expect(textOf(page.text)).toContain('Enter a complete email address');
		});

		test('I09 a text of 60 KB is refused (GHSA-9h6g-pr28-7cqp)', async () => {
			for (const shape of ['a'.repeat(60_000), '@'.repeat(60_000), `a@${'b.'.repeat(30_000)}`]) {
				expect((await sendCode(fixture.server, shape)).json()).toEqual(INVALID[1]);
			}
		});
	},
	{ alone: true }
);
