import { hash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { textsOf, type Row } from '../../support/http/database.ts';
import { openBrowser } from '../../support/http/browser.ts';
import { dropIdleConnections } from '../../support/http/agent.ts';
import {
	bearer,
	call,
	freshCode,
	inBatches,
	newAddress,
	pairOf,
	rounds,
	signIn,
	times,
	verifyCode,
	whoIs,
	ME,
	sampled
} from '../../support/http/client.ts';
import { onBothInLongForm } from '../../support/http/fixtures.ts';

/**
 * The content of a value, also between separators, as hex, so that one comparison covers every
 * encoding.
 */
const bytesIn = (texts: readonly string[]): ReadonlySet<string> => {
	const found = new Set<string>();
	for (const text of texts) {
		for (const part of [text, ...text.split(/[$:.,;|\s"{}[\]]+/)]) {
			found.add(Buffer.from(part, 'utf8').toString('hex'));
			for (const encoding of ['hex', 'base64', 'base64url'] as const) {
				const bytes = Buffer.from(part, encoding).toString('hex');
				if (bytes.length >= 12) found.add(bytes);
			}
		}
	}
	return found;
};

/**
 * Which codes a thief of this dump finds without a key. The long form tries all million codes, the
 * short form the issued ones and every hundredth.
 */
const codesReadable = (
	texts: readonly string[],
	emails: readonly string[],
	issued: readonly string[]
): string[] => {
	const stored = bytesIn(texts);
	const hits: string[] = [];
	const regular = times(1_000_000, (number) => String(number).padStart(6, '0'));
	for (const code of new Set([...sampled(regular, 100), ...issued])) {
		if (stored.has(Buffer.from(code).toString('hex'))) hits.push(`plain ${code}`);
		if (stored.has(hash('sha256', code, 'hex'))) hits.push(`sha256 ${code}`);
		for (const email of emails) {
			if (stored.has(hash('sha256', email + code, 'hex'))) hits.push(`sha256+email ${code}`);
		}
	}
	dropIdleConnections();
	return hits;
};

onBothInLongForm(
	(fixture) => {
		test('A18 a database dump contains none of a million codes: plain, hashed, or hashed with the address', async () => {
			const emails = [newAddress('dump'), newAddress('dump')] as const;
			const codes = [await freshCode(fixture.server, emails[0])];
			await openBrowser(fixture.server).post('/auth/sign-in?/request', {
				email: emails[1],
				__superform_id: 'email'
			});
			codes.push(await fixture.server.codeFor(emails[1]));
			const dump: Readonly<Record<string, readonly Row[]>> = await fixture.database.dump();
			expect(dump['verification']).toHaveLength(2);
			const texts = textsOf(dump);
			expect(codesReadable(texts, emails, codes)).toEqual([]);
			for (const code of codes) expect(texts.filter((text) => text === code)).toEqual([]);
		});

		test('E13 no value of a database dump, in any encoding, is a credential', async () => {
			const signedIn = [];
			const asPage = { origin: fixture.server.address, 'sec-fetch-site': 'same-origin' };
			for (const email of times(rounds(1, 3), () => newAddress())) {
				signedIn.push(await signIn(fixture.server, email, asPage));
				await freshCode(fixture.server, email);
			}
			const deviceKeys = signedIn
				.flatMap(({ answer }) => answer.setCookies.map(pairOf))
				.flatMap(([name, value]) => (name === 'postern_device' ? [value] : []));
			const clientKey = randomBytes(32).toString('base64url');
			const app = { 'x-postern-client': clientKey };
			const byApp = newAddress();
			await verifyCode(fixture.server, byApp, await freshCode(fixture.server, byApp, app), app);
			await freshCode(fixture.server, byApp, app);
			const browser = openBrowser(fixture.server);
			await browser.post('/auth/sign-in?/request', {
				email: newAddress(),
				__superform_id: 'email'
			});

			const dump = await fixture.database.dump();
			expect(dump['session']?.length).toBeGreaterThanOrEqual(signedIn.length);
			const texts = textsOf(dump);
			const stored = texts.join('\n');
			for (const { token } of signedIn) expect(stored).not.toContain(token);
			expect(stored).not.toContain(browser.cookie('postern_browser'));
			expect([dump['device']?.length, deviceKeys.length]).toEqual([
				signedIn.length + 1,
				signedIn.length
			]);
			for (const key of [...deviceKeys, clientKey]) expect(stored).not.toContain(key);

			const forms = new Set(
				texts
					.filter((text) => text.length >= 4 && text.length <= 4096)
					.flatMap((text) => {
						const bytes = [
							Buffer.from(text, 'utf8'),
							...(['hex', 'base64', 'base64url'] as const).map((from) => Buffer.from(text, from))
						];
						return [
							text,
							...bytes.flatMap((b) =>
								(['hex', 'base64', 'base64url'] as const).map((to) => b.toString(to))
							),
							...bytes.map((b) => b.subarray(0, 32).toString('base64url'))
						];
					})
					// Drops values that a header cannot contain.
					.filter((text) => /^[\x20-\x7e]{1,4096}$/.test(text))
			);
			expect(forms.size).toBeGreaterThan(100);
			const tried = [...forms].flatMap((text) => [
				{ cookie: `postern_session=${text}` },
				bearer(text)
			]);
			const answers = await inBatches(sampled(tried, 3), 50, (headers) =>
				call(fixture.server, ME, { headers })
			);
			expect(answers.filter(({ status, text }) => status !== 200 || text !== 'null')).toEqual([]);
			for (const { cookie, email } of signedIn) {
				expect(await whoIs(fixture.server, { cookie })).toBe(email);
			}
		});
	},
	{ alone: true }
);
