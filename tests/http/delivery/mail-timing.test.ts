import { afterAll, beforeAll, expect, test } from 'vitest';
import { auc, median } from '../../support/time/auc.ts';
import {
	EMAIL_ROWS,
	startSlowMail,
	timeOwnSend,
	type SlowMail
} from '../../support/mail/conditional-emails.ts';
import { newAddress, rounds, signIn, type SignedIn } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

/** How long the mail server takes for an email, in milliseconds. */
const DELAY = 150;
const PAIRS = rounds(3, 200);

onOneServer((fixture) => {
	let slow: SlowMail;
	let attacker: SignedIn;
	let known: string;
	beforeAll(async () => {
		attacker = await signIn(fixture.server, newAddress('attacker'));
		slow = await startSlowMail(fixture.server.databaseUrl, DELAY);
	});
	afterAll(() => slow.stop());

	test.each(EMAIL_ROWS)(
		'R05 $name takes the same time whether or not the target has an account',
		async ({ request }) => {
			const knownTimes: number[] = [];
			const unknownTimes: number[] = [];
			for (let pair = 0; pair < PAIRS; pair += 1) {
				// An email address allows five sends, and opening the account used one of them.
				if (pair % 4 === 0) known = (await signIn(fixture.server, newAddress('known'))).email;
				const time = (target: string): Promise<number> =>
					timeOwnSend(slow, () => request(slow.server, attacker, target));
				const unknown = newAddress('unknown');
				for (const target of pair % 2 === 0 ? [known, unknown] : [unknown, known]) {
					(target === known ? knownTimes : unknownTimes).push(await time(target));
				}
			}
			// A send that waits for the email of another one takes twice as long.
			for (const taken of [knownTimes, unknownTimes]) {
				expect(median(taken)).toBeLessThan(1.6 * DELAY);
			}
			if (PAIRS >= 200) expect(auc(knownTimes, unknownTimes)).toBeLessThanOrEqual(0.6);
		}
	);
});
