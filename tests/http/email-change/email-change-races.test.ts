import { describe, expect, test } from 'vitest';
import type { BuiltServer } from '../../support/process/built-server.ts';
import {
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	rounds,
	signIn,
	tally,
	times,
	verifyCode,
	whoIs,
	API,
	SEND,
	whoIsStored,
	type Answer,
	type SignedIn
} from '../../support/http/client.ts';
import {
	addressOf,
	askByCode,
	askByLink,
	changeByCode,
	changeCode,
	changeLink,
	confirmLink,
	formKey,
	linkOutcome,
	refusal,
	settled,
	waitingFor,
	ALREADY,
	CHANGED,
	REFUSED,
	SIGN_IN,
	TAKEN,
	VERIFY_EMAIL
} from '../../support/http/email-change.ts';
import { onBothDatabases, present } from '../../support/http/fixtures.ts';
import { jarOf } from '../../support/http/cookie-jar.ts';

type Way = 'code' | 'link';
const WAYS: readonly Way[] = ['code', 'link'];
/** Confirms at a server in a session. Returns an outcome with the same words for both ways. */
type Confirm = (server: BuiltServer, person: SignedIn) => Promise<string>;

const CODE_OUTCOMES: Readonly<Record<string, string>> = {
	INVALID_OTP: REFUSED,
	TOO_MANY_ATTEMPTS: REFUSED,
	EMAIL_ALREADY_IN_USE: TAKEN,
	UNAUTHORIZED: SIGN_IN
};
const codeOutcome = (answer: Answer): string => {
	if (answer.status === 200) return CHANGED;
	const [, code] = refusal(answer);
	return CODE_OUTCOMES[code] ?? `${answer.status} ${answer.text}`;
};

onBothDatabases(
	(fixture) => {
		const both = (index: number): BuiltServer => (index % 2 === 0 ? fixture.server : fixture.other);
		const confirmation = async (way: Way, to: string, secret: string): Promise<Confirm> => {
			if (way === 'code') {
				return async (at, { token }) =>
					codeOutcome(await changeByCode(at, bearer(token), to, secret));
			}
			const form = await formKey(fixture.server);
			return async (at, confirmer) => {
				const outcome = linkOutcome(await confirmLink(at, form, confirmer, secret));
				return outcome === ALREADY ? REFUSED : outcome;
			};
		};
		const requestedChange = async (
			way: Way,
			server: BuiltServer,
			person: SignedIn,
			to: string
		): Promise<Confirm> =>
			confirmation(way, to, await (way === 'code' ? changeCode : changeLink)(server, person, to));
		/**
		 * Two changes that one account requests at once. Null for a request that lost to the other one
		 * before its email was stored.
		 */
		const racingChanges = async (
			way: Way,
			servers: readonly BuiltServer[],
			person: SignedIn,
			addresses: readonly string[]
		): Promise<readonly (Confirm | null)[]> => {
			const ask = way === 'code' ? askByCode : askByLink;
			const kind = way === 'code' ? 'email-change code' : 'email-change link';
			const answers = await Promise.all(
				addresses.map((to, i) => ask(present(servers[i]), bearer(person.token), to))
			);
			expect(answers.map(({ status }) => status)).toEqual([200, 200]);
			const pending = await fixture.database.rows(
				`select email from verification where email in ('${addresses.join("', '")}')`
			);
			// The email of the change that is pending is the later one, if there are two.
			for (const { email } of pending) await fixture.server.mailFor(kind, String(email));
			return Promise.all(
				addresses.map(async (to) =>
					fixture.server.mailsSentTo(kind, to) === 0
						? null
						: confirmation(way, to, await fixture.server.mailFor(kind, to))
				)
			);
		};
		const idOf = async ({ token }: SignedIn): Promise<unknown> =>
			present(await me(fixture.server, bearer(token))).user['id'];
		const noticesTo = async (email: string): Promise<number> => {
			for (const server of [fixture.server, fixture.other]) await settled(server);
			return fixture.server.mailsSentTo('email-change notice', email);
		};

		describe.each(WAYS)('by %s', (way) => {
			test('K05 of 50 concurrent confirmations over two processes, one succeeds, one row changes, one notice is sent', async () => {
				for (let round = 0; round < rounds(1, 40); round += 1) {
					const person = await signIn(fixture.server);
					const to = newAddress('new');
					const confirm = await requestedChange(way, both(round), person, to);
					const before = await fixture.database.rows('select * from "user" order by id');
					const outcomes = await Promise.all(times(50, (i) => confirm(both(i), person)));
					expect(tally(outcomes)).toEqual({ [CHANGED]: 1, [REFUSED]: 49 });
					const after = await fixture.database.rows('select * from "user" order by id');
					const changed = after.filter(
						(row, i) => JSON.stringify(row) !== JSON.stringify(before[i])
					);
					expect(changed.map((row) => row['email'])).toEqual([to]);
					expect(await whoIsStored(fixture.other, bearer(person.token))).toBe(to);
					expect(await noticesTo(person.email)).toBe(1);
				}
			});

			test('K05 E14 confirmed concurrently in two sessions: one succeeds, and only its session survives', async () => {
				for (let round = 0; round < rounds(2, 200); round += 1) {
					const first = await signIn(fixture.server);
					const second = await signIn(fixture.other, first.email);
					const to = newAddress('new');
					const confirm = await requestedChange(way, both(round), first, to);
					const people = [first, second];
					const outcomes = await Promise.all(
						times(8, (i) => confirm(both(i >> 1), present(people[i % 2])))
					);
					const winner = outcomes.indexOf(CHANGED);
					expect(outcomes.filter((outcome) => outcome === CHANGED)).toHaveLength(1);
					// The request whose session ended meanwhile is unauthenticated.
					expect(
						outcomes.filter((outcome) => ![CHANGED, REFUSED, SIGN_IN].includes(outcome))
					).toEqual([]);
					const [survivor, loser] = winner % 2 === 0 ? [first, second] : [second, first];
					expect(await whoIsStored(fixture.server, bearer(survivor.token))).toBe(to);
					expect(await whoIsStored(fixture.server, bearer(loser.token))).toBeNull();
				}
			});

			test('K06 two concurrent requests over two processes: an email sets only the address it went to, and one of them works (CVE-2026-32700)', async () => {
				const person = await signIn(fixture.server);
				const id = await idOf(person);
				for (let round = 0; round < rounds(4, 500); round += 1) {
					const addresses = [newAddress('victim'), newAddress('attacker')];
					const servers = [both(round), both(round + 1)];
					const confirms = await racingChanges(way, servers, person, addresses);
					const from = await addressOf(fixture.database, id);
					const tried = round % 4 < 2 ? [0, 1] : [1, 0];
					let now = from;
					for (const which of tried) {
						const confirm = confirms[which] ?? null;
						if (confirm === null) continue;
						const outcome = await confirm(both(which), person);
						expect([CHANGED, REFUSED]).toContain(outcome);
						if (outcome === CHANGED) {
							expect(now).toBe(from);
							now = addresses[which];
						}
						expect(await addressOf(fixture.database, id)).toBe(now);
					}
					expect(addresses).toContain(now);
				}
			});

			test('K07 concurrent sign-up with the new address: one account has it, and the other gets an error message', async () => {
				for (let round = 0; round < rounds(3, 300); round += 1) {
					const person = await signIn(fixture.server);
					const id = await idOf(person);
					const to = newAddress('new');
					const confirm = await requestedChange(way, both(round), person, to);
					const otp = await freshCode(fixture.server, to);
					const confirming = (): Promise<string> => confirm(both(round), person);
					// Alternates which of the two requests is sent first.
					const early = round % 3 === 0 ? confirming() : null;
					const signingUp = verifyCode(both(round + 1), to, otp);
					const [outcome, signedUp] = await Promise.all([early ?? confirming(), signingUp]);
					expect([CHANGED, TAKEN]).toContain(outcome);
					expect(signedUp.status).toBe(200);
					const { user } = signedUp.json() as { user: { id: string; email: string } };
					const owners = await fixture.database.rows(`select id from "user" where email = '${to}'`);
					expect(owners).toHaveLength(1);
					expect([user.email, user.id]).toEqual([to, owners[0]?.['id']]);
					// A user who proves the address gets access to the one account that has it.
					if (outcome === CHANGED) expect(user.id).toBe(id);
					else {
						expect(user.id).not.toBe(id);
						expect(await addressOf(fixture.database, id)).toBe(person.email);
					}
					expect(await idOf(person)).toBe(id);
				}
			});
		});

		test('K07 two accounts confirm the same new address concurrently, by either way: one gets it, the other gets the error that it is taken', async () => {
			for (let round = 0; round < rounds(4, 400); round += 1) {
				const people = [await signIn(fixture.server), await signIn(fixture.other)];
				const ids = await Promise.all(people.map(idOf));
				const to = newAddress('new');
				const [first, second] = [present(WAYS[round & 1]), present(WAYS[(round >> 1) & 1])];
				const confirms = [
					await requestedChange(first, fixture.server, present(people[0]), to),
					await requestedChange(second, fixture.other, present(people[1]), to)
				];
				const outcomes = await Promise.all(
					confirms.map((confirm, i) => confirm(both(i + (round >> 2)), present(people[i])))
				);
				expect(outcomes.toSorted()).toEqual([CHANGED, TAKEN].toSorted());
				const winner = outcomes.indexOf(CHANGED);
				expect(await addressOf(fixture.database, ids[winner])).toBe(to);
				const loser = present(people[1 - winner]);
				expect(await addressOf(fixture.database, ids[1 - winner])).toBe(loser.email);
				expect(await whoIs(fixture.server, bearer(loser.token))).toBe(loser.email);
			}
		});

		test.each(WAYS)(
			'K07 by %s: the owner leaves the address concurrently: it stays taken while it can undo that, and then the same proof works',
			async (way) => {
				for (let round = 0; round < rounds(2, 200); round += 1) {
					const person = await signIn(fixture.server);
					const id = await idOf(person);
					const to = newAddress('new');
					const confirm = await requestedChange(way, both(round), person, to);
					const owner = await signIn(fixture.other, to);
					const away = newAddress('away');
					const leave = await requestedChange(present(WAYS[round % 2]), fixture.other, owner, away);
					const [left, moved] = await Promise.all([
						leave(both(round), owner),
						confirm(both(round + 1), person)
					]);
					expect(left).toBe(CHANGED);
					expect(moved).toBe(TAKEN);
					expect(await confirm(both(round), person)).toBe(TAKEN);
					expect(await addressOf(fixture.database, id)).toBe(person.email);
					await fixture.database.rows(`delete from email_undo where email = '${to}'`);
					expect(await confirm(both(round), person)).toBe(CHANGED);
					expect(await addressOf(fixture.database, id)).toBe(to);
					expect(await whoIsStored(fixture.server, bearer(person.token))).toBe(to);
					expect(await whoIsStored(fixture.server, bearer(owner.token))).toBe(away);
				}
			}
		);

		test.each(WAYS)(
			'K08 by %s: confirmed while the owner signs out everywhere: the change either comes first or is void, and no session survives',
			async (way) => {
				for (let round = 0; round < rounds(2, 300); round += 1) {
					const person = await signIn(fixture.server);
					const id = await idOf(person);
					const to = newAddress('new');
					const confirm = await requestedChange(way, both(round), person, to);
					const [outcome, out] = await Promise.all([
						confirm(both(round), person),
						call(both(round + 1), `${API}/revoke-sessions`, {
							json: {},
							headers: bearer(person.token)
						})
					]);
					expect(out.status).toBe(200);
					expect([CHANGED, REFUSED, SIGN_IN]).toContain(outcome);
					expect(await addressOf(fixture.database, id)).toBe(
						outcome === CHANGED ? to : person.email
					);
					const sessions = await fixture.database.rows(
						`select id from session where user_id = '${String(id)}'`
					);
					expect(sessions).toEqual([]);
					const waiting = await fixture.database.rows(
						`select id from verification where binding = '${String(id)}'`
					);
					expect(waiting).toEqual([]);
				}
			}
		);

		test('E12 signing out everywhere during 100 requests of 10 devices over two processes: after the answer no device has access, and codes, links and pending changes are void', async () => {
			for (let round = 0; round < rounds(1, 20); round += 1) {
				const email = newAddress();
				const devices: SignedIn[] = [];
				const unthrottle = () =>
					fixture.database.rows(`delete from auth_throttle where email = '${email}'`);
				for (let device = 0; device < 10; device += 1) {
					devices.push(await signIn(both(device), email));
					await unthrottle();
				}
				const [first] = devices;
				const person = present(first);
				const id = await idOf(person);
				const changes = [
					await requestedChange('code', fixture.server, person, newAddress('new')),
					await requestedChange('link', fixture.other, person, newAddress('new'))
				];
				const signInCode = await freshCode(fixture.other, email);
				await call(fixture.server, SEND, { json: { email, type: 'email-verification' } });
				const verification = await fixture.server.verificationCodeFor(email);

				const strict = (device: SignedIn, server: BuiltServer, turn: number): Promise<Answer> => {
					const cookie = { cookie: jarOf(device), origin: server.address };
					const headers = turn % 2 === 0 ? bearer(device.token) : cookie;
					return turn % 3 === 0
						? call(server, `${API}/update-user`, { json: { name: `Turn ${turn}` }, headers })
						: call(server, `${API}/list-sessions`, { headers });
				};
				const inFlight = times(100, (i) => strict(present(devices[i % 10]), both(i >> 1), i));
				const out = await call(both(round), `${API}/revoke-sessions`, {
					json: {},
					headers: bearer(person.token)
				});
				// From here on no new request has access, although earlier ones may still be answered.
				const late = await Promise.all(
					devices.flatMap((device) => times(6, (turn) => strict(device, both(turn >> 1), turn)))
				);
				expect(out.status).toBe(200);
				expect(tally(late.map(({ status }) => status))).toEqual({ 401: 60 });
				const before = tally((await Promise.all(inFlight)).map(({ status }) => status));
				expect(Object.keys(before).filter((status) => !['200', '401'].includes(status))).toEqual(
					[]
				);
				for (const device of devices) {
					for (const server of [fixture.server, fixture.other]) {
						expect(await whoIsStored(server, bearer(device.token))).toBeNull();
					}
				}
				expect(
					await fixture.database.rows(`select id from session where user_id = '${String(id)}'`)
				).toEqual([]);

				expect(await waitingFor(fixture.database, email)).toEqual([]);
				expect((await verifyCode(fixture.server, email, signInCode)).status).toBe(400);
				const verified = await call(fixture.other, VERIFY_EMAIL, {
					json: { email, otp: verification }
				});
				expect(refusal(verified)).toEqual([400, 'INVALID_OTP']);
				await unthrottle();
				const back = await signIn(fixture.other, email);
				for (const confirm of changes) {
					expect(await confirm(fixture.server, back)).toBe(REFUSED);
				}
				expect(await addressOf(fixture.database, id)).toBe(email);
			}
		});
	},
	{ processes: 2 }
);
