import { hash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { enterOnPage } from '../../support/http/account.ts';
import { openBrowser } from '../../support/http/browser.ts';
import { dropIdleConnections } from '../../support/http/agent.ts';
import {
	bearer,
	freshCode,
	inBatches,
	newAddress,
	sampled,
	signIn,
	times,
	verifyCode,
	whoIsStored
} from '../../support/http/client.ts';
import { textsOf } from '../../support/http/database.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const ENCODINGS = ['utf8', 'hex', 'base64', 'base64url'] as const;

/** Every value and every part of one, in each encoding, as hex. */
const bytesIn = (texts: readonly string[]): ReadonlySet<string> =>
	new Set(
		texts
			.flatMap((text) => [text, ...text.split(/[$:.,;|\s"{}[\]]+/)])
			.flatMap((part) => ENCODINGS.map((from) => Buffer.from(part, from).toString('hex')))
			.filter((bytes) => bytes.length >= 12)
	);

onBothInLongForm(
	(fixture) => {
		test('A18 a database dump contains none of a million codes: plain, hashed, or hashed with the address', async () => {
			const email = newAddress('dump');
			const issued = await freshCode(fixture.server, email);
			const stored = bytesIn(textsOf(await fixture.database.dump()));
			const regular = times(1_000_000, (number) => String(number).padStart(6, '0'));
			// The long form tries all of them.
			const found = [issued, ...sampled(regular, 100)].filter(
				(code) =>
					stored.has(Buffer.from(code).toString('hex')) ||
					stored.has(hash('sha256', code, 'hex')) ||
					stored.has(hash('sha256', email + code, 'hex'))
			);
			dropIdleConnections();
			expect(found).toEqual([]);
		});

		test('E13 no value of a database dump, in any encoding, is a credential', async () => {
			const { server, database } = fixture;
			const browser = openBrowser(server);
			await enterOnPage(server, browser, newAddress());
			const clientKey = randomBytes(32).toString('base64url');
			const app = { 'x-postern-client': clientKey };
			const email = newAddress();
			await verifyCode(server, email, await freshCode(server, email, app), app);
			const { token } = await signIn(server);
			const keys = ['session', 'device', 'browser'].map((name) =>
				present(browser.cookie(`postern_${name}`))
			);
			const texts = textsOf(await database.dump());
			const stored = bytesIn(texts);
			for (const secret of [token, clientKey, ...keys]) {
				for (const from of ENCODINGS) {
					expect(stored).not.toContain(Buffer.from(secret, from).toString('hex'));
				}
			}
			const forms = texts
				.flatMap((text) => [
					text,
					...ENCODINGS.map((from) => Buffer.from(text, from).subarray(0, 32).toString('base64url'))
				])
				// Drops values that a header cannot contain.
				.filter((text) => /^[\x20-\x7e]{4,4096}$/.test(text));
			expect(forms.length).toBeGreaterThan(100);
			const people = await inBatches(sampled(forms, 3), 50, (form) =>
				whoIsStored(server, bearer(form))
			);
			expect(new Set(people)).toEqual(new Set([null]));
			expect(await whoIsStored(server, bearer(token))).not.toBeNull();
		});
	},
	{ alone: true }
);
