import { expect, test } from 'vitest';
import {
	changeByCode,
	changeCode,
	DELETE,
	fromPage,
	REVOKE_OTHERS
} from '../../support/http/account.ts';
import {
	bearer,
	call,
	ME,
	newAddress,
	OUT,
	signIn,
	whoIs,
	whoIsStored,
	type Answer,
	type SignedIn
} from '../../support/http/client.ts';
import { cacheIn, liveJar } from '../../support/http/cookie-jar.ts';
import { testOn, type Fixture } from '../../support/http/fixtures.ts';

// What ends in one process (`server`) must end in another one on the same database (`other`).
export const revocation = (fixture: Fixture): void => {
	const post = (path: string, headers: object, json: object = {}, at = fixture.server) =>
		call(at, path, { json, headers: headers as never });
	const done = async (answer: Promise<Answer>): Promise<void> => {
		const { status, text } = await answer;
		if (status !== 200) throw new Error(`${status} ${text}`);
	};
	/** A cookie jar that the other process accepts, after it has read all earlier changes. */
	const believedJar = async (person: SignedIn): Promise<string> => {
		if (fixture.engine === 'SQLite') {
			// When its clock runs again, it checks the file again.
			await fixture.other.holdMonotonic(true);
			await fixture.other.holdMonotonic(false);
		}
		return liveJar(fixture.other, person);
	};
	/** By cookie, and so from its cache, or by bearer in the other process. */
	const read = (jar: string | object): Promise<Answer> =>
		call(fixture.other, ME, { headers: typeof jar === 'string' ? { cookie: jar } : { ...jar } });

	/**
	 * How many requests with an ended session it may still accept: it checks SQLite at each one. On
	 * PostgreSQL it hears of the end within a second (`npm run measure -- E06`).
	 */
	const most = fixture.engine === 'SQLite' ? 0 : Infinity;

	/**
	 * Repeats a request with a cookie jar or bearer until the other process refuses it, and a
	 * little longer. Returns how many it accepted; no answer may set a cache.
	 */
	const acceptedWith = async (jar: string | object): Promise<number> => {
		let accepted = 0;
		for (let refused = 0; refused < 5;) {
			const answer = await read(jar);
			if (answer.text === 'null') {
				refused += 1;
			} else {
				expect([answer.status, refused]).toEqual([200, 0]);
				accepted += 1;
			}
			expect(cacheIn(answer)).toBeNull();
		}
		return accepted;
	};

	interface Case {
		/** The account whose session ends. */
		readonly person: SignedIn;
		/** Another session of the same account, in the same process. */
		readonly beside: SignedIn;
	}
	const endings: Record<string, (of: Case) => Promise<void>> = {
		'signing out': ({ person }) => done(post(OUT, fromPage(fixture.server, person.cookie))),
		'revoking all others': ({ beside }) => done(post(REVOKE_OTHERS, bearer(beside.token))),
		'deleting the account': ({ beside }) => done(post(DELETE, bearer(beside.token))),
		'changing the address': async ({ beside }) => {
			const to = newAddress('moved');
			const otp = await changeCode(fixture.server, beside, to);
			await done(changeByCode(fixture.server, bearer(beside.token), to, otp));
		},
		'signing in again': async ({ person }) => {
			await signIn(fixture.server, person.email, { cookie: person.cookie });
		}
	};

	/** In the short form, each on one of the databases. */
	const tried = Object.keys(endings).filter((_, i) =>
		testOn(fixture, i % 2 === 0 ? 'SQLite' : 'PostgreSQL')
	);
	test.each(tried)(
		'E06 E12 after %s the other process soon refuses the bearer and all cookies, on SQLite immediately',
		async (way) => {
			const person = await signIn(fixture.server);
			const beside = await signIn(fixture.server, person.email);
			const jar = await believedJar(person);
			await endings[way]?.({ person, beside });
			for (const held of [bearer(person.token), jar]) {
				expect(await acceptedWith(held)).toBeLessThanOrEqual(most);
			}
			for (const here of [bearer(person.token), { cookie: jar }]) {
				expect(await whoIs(fixture.server, here)).toBeNull();
			}
			expect(await whoIsStored(fixture.other, bearer(person.token))).toBeNull();
			const page = await call(fixture.other, '/app', { headers: { cookie: jar } });
			expect(page.status).toBe(303);
		}
	);
};
