import { expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Redeemed } from '#lib/domain/sign-in/ports.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { anOutboxRow } from '../delivery/outbox-examples.ts';
import { aDevicePlacement } from '../sessions/device-examples.ts';
import {
	ada,
	aChallenge,
	anAttempt,
	aHash,
	anEmail,
	at,
	bob,
	newUndoId,
	policy,
	rounds
} from '../stores/examples.ts';
import { instanceOf } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';
import { aChange, accountOf, completing } from './email-change-races.ts';

const LAST = 7 * 86_400;

/** The rights of old addresses to undo an email change. */
export const emailUndosContract = storeContract('rights to undo an email change', (backing) => {
	const stores = () => backing.stores;
	const port = () => stores().emailUndos;
	const queued = () => backing.rows('outboxRows');
	const emailOf = async (email: Email) => (await stores().accounts.find(email))?.id ?? null;

	/** Moves an account. Returns it at its new address, with the change that was completed. */
	const move = async (person: Redeemed, to: Email, until = at(LAST)) => {
		const change = aChange(person, to);
		await stores().emailChanges.request(change, accountOf(person), at(2));
		const undo = { id: newUndoId(), expiresAt: until, mailsWithUndo: [anOutboxRow()] };
		const completion = { ...completing(person, change), undo };
		const changed = await stores().emailChanges.complete(completion, at(3));
		if (changed === null || changed === 'email_taken') return { refused: changed, undo };
		return { person: { ...person, user: changed.user }, undo };
	};
	const moved = async (person: Redeemed, to: Email, until = at(LAST)) => {
		const done = await move(person, to, until);
		if (done.person === undefined) throw new Error('not moved');
		return { person: done.person, id: done.undo.id };
	};
	const undo = (
		id: ReturnType<typeof newUndoId>,
		from: Email,
		now = at(5),
		device = aDevicePlacement()
	) => port().undo({ id, from, mails: [anOutboxRow()], device }, now);
	const knownAs = (key: SecretHash, email = ada) => stores().devices.knownAccount(key, email);

	it('a change gives the old address a right, which reserves it until it expires', async () => {
		const person = await signIn(stores());
		const to = anEmail();
		expect(await port().isReserved(ada, at(1))).toBe(false);
		const { id } = await moved(person, to);
		expect(await queued()).toBe(1);
		expect(await port().find(id, at(4))).toEqual({ id, to: ada, from: to, expiresAt: at(LAST) });
		expect(await port().find(id, at(LAST))).toBeNull();
		expect(await port().find(newUndoId(), at(4))).toBeNull();
		const right = { to: ada, expiresAt: at(LAST) };
		expect(await port().listOf(person.user.id, at(4))).toEqual([right]);
		expect(await port().listOf(person.user.id, at(LAST))).toEqual([]);
		const reserved = [];
		for (const [email, now] of [
			[ada, at(4)],
			[ada, at(LAST)],
			[to, at(4)]
		] as const)
			reserved.push(await port().isReserved(email, now));
		expect(reserved).toEqual([true, false, false]);
	});

	it('an undo moves the account back, ends its sessions and revokes the codes of both', async () => {
		const person = await signIn(stores());
		const to = anEmail();
		const { id, person: there } = await moved(person, to);
		const codes = [aChallenge({ email: ada }), aChallenge({ email: to })];
		for (const code of codes) await stores().challenges.issue(code, at(4));
		await stores().emailChanges.request(aChange(there, anEmail()), accountOf(there), at(4));
		expect(await undo(id, to)).toEqual({
			user: { ...person.user, updatedAt: at(5) },
			ended: [person.session.id]
		});
		expect(await stores().sessions.listOf(person.user.id, at(5))).toEqual([]);
		for (const { email } of codes) {
			expect(
				await stores().challenges.countAttempt(anAttempt({ email }), at(5), policy)
			).toBeNull();
		}
		expect(await backing.rows('challenges')).toBe(0);
		expect([await queued(), await backing.rows('emailUndos')]).toEqual([2, 0]);
		expect(await undo(id, to)).toBeNull();
		expect(await undo(id, ada)).toBeNull();
		expect(await queued()).toBe(2);
	});

	it('the client that undoes it becomes the only known device, by its new key alone', async () => {
		const before = aDevicePlacement();
		const person = await signIn(stores(), ada, { device: before });
		const to = anEmail();
		const { id } = await moved(person, to);
		const browser = aDevicePlacement({ presentedHashes: [before.keyHash] });
		await undo(id, to, at(5), browser);
		expect(await knownAs(browser.keyHash)).toBe(person.user.id);
		expect(await knownAs(before.keyHash)).toBeNull();
		expect(await backing.rows('devices')).toBe(1);
	});

	it('other accounts stay known in the browser that undoes it, and no planted key is adopted', async () => {
		const planted = aHash();
		const bobs = await signIn(stores(), bob, { device: aDevicePlacement({ keyHash: planted }) });
		const to = anEmail();
		const { id, person } = await moved(await signIn(stores()), to);
		const browser = aDevicePlacement({ presentedHashes: [planted] });
		await undo(id, to, at(5), browser);
		expect(await knownAs(browser.keyHash)).toBe(person.user.id);
		expect(await knownAs(browser.keyHash, bob)).toBe(bobs.user.id);
		expect([await knownAs(planted), await knownAs(planted, bob)]).toEqual([null, null]);
	});

	it('does nothing when the right has expired or the account has moved on', async () => {
		const to = anEmail();
		const known = aDevicePlacement();
		const { id, person } = await moved(await signIn(stores(), ada, { device: known }), to);
		expect(await undo(id, to, at(LAST))).toBeNull();
		const there = await moved(person, anEmail());
		expect(await undo(id, to)).toBeNull();
		expect([await emailOf(ada), await queued()]).toEqual([null, 2]);
		expect(await knownAs(known.keyHash, there.person.user.email)).toBe(person.user.id);
		expect(await backing.rows('devices')).toBe(1);
	});

	it('removes its own right and all later ones, and no earlier one', async () => {
		const [second, third, fourth] = [anEmail(), anEmail(), anEmail()];
		const one = await moved(await signIn(stores()), second);
		const two = await moved(one.person, third);
		const three = await moved(two.person, fourth);
		expect(await undo(two.id, fourth)).toMatchObject({ user: { email: second } });
		for (const { id } of [two, three]) expect(await port().find(id, at(6))).toBeNull();
		expect(await port().find(one.id, at(6))).toMatchObject({ to: ada, from: second });
		expect(await port().isReserved(fourth, at(6))).toBe(false);
	});

	it('moving back to a reserved address of its own ends that right and gives none', async () => {
		const [second, third] = [anEmail(), anEmail()];
		const one = await moved(await signIn(stores()), second);
		const two = await moved(one.person, third);
		const change = aChange(two.person, ada);
		await stores().emailChanges.request(change, accountOf(two.person), at(4));
		const completion = {
			...completing(two.person, change),
			mailsWithoutUndo: [anOutboxRow(), anOutboxRow()]
		};
		const before = await queued();
		expect(await stores().emailChanges.complete(completion, at(5))).toMatchObject({
			user: { email: ada }
		});
		expect([await queued(), await backing.rows('emailUndos')]).toEqual([before + 2, 0]);
	});

	it('no other account moves to a reserved address, and nothing of the try is stored', async () => {
		await moved(await signIn(stores()), anEmail());
		const bob = await signIn(stores(), anEmail('bob'));
		expect(await move(bob, ada)).toMatchObject({ refused: 'email_taken' });
		expect(await emailOf(bob.user.email)).toBe(bob.user.id);
		expect([await queued(), await backing.rows('challenges')]).toEqual([1, 1]);
		expect(await backing.rows('emailUndos')).toBe(1);
	});

	it('an expired right is in nobody’s way', async () => {
		const { person } = await moved(await signIn(stores()), anEmail(), at(1));
		const later = await signIn(stores());
		expect(later.user.id).not.toBe(person.user.id);
		const { id } = await moved(later, anEmail());
		expect(await port().find(id, at(4))).toMatchObject({ to: ada });
		expect(await backing.rows('emailUndos')).toBe(1);
	});

	it('an expired right does not hold back its next owner, even if the clock is set back', async () => {
		await moved(await signIn(stores()), anEmail(), at(10));
		const later = await signIn(stores(), ada, { now: at(11) });
		const { id } = await moved(later, anEmail());
		expect(await port().find(id, at(4))).toMatchObject({ to: ada });
		expect(await backing.rows('emailUndos')).toBe(1);
	});

	it('no account is created at a reserved address, and the guess is given back', async () => {
		const { id } = await moved(await signIn(stores()), anEmail());
		for (const creates of [true, false]) {
			const enter = await askedFor(stores(), ada, { creates });
			const found = { kind: 'reserved', undo: id, until: at(LAST) };
			expect(await enter(stores())).toEqual(found);
			expect(await enter(stores())).toEqual(found);
		}
		expect([await emailOf(ada), await backing.rows('users')]).toEqual([null, 1]);
		const late = await askedFor(stores(), ada, { now: at(LAST) });
		expect(await late(stores())).toMatchObject({ kind: 'signed_in', created: true });
	});

	it('a deleted account stays deleted, and a purged one leaves no right', async () => {
		const to = anEmail();
		const { id, person } = await moved(await signIn(stores()), to);
		await stores().accounts.delete(person.user.id, at(4));
		const browser = aDevicePlacement();
		expect(await undo(id, to, at(5), browser)).toMatchObject({
			user: { email: ada },
			ended: []
		});
		expect(await stores().accounts.find(ada)).toMatchObject({ deletedAt: at(4) });
		expect(await knownAs(browser.keyHash)).toBe(person.user.id);
		const other = await moved(await signIn(stores(), anEmail()), anEmail());
		await stores().accounts.delete(other.person.user.id, at(4));
		await stores().accounts.purge(at(4), 5);
		expect(await backing.rows('emailUndos')).toBe(0);
	});

	it('pruning removes expired rights, at most the limit', async () => {
		for (const until of [at(10), at(11), at(12)]) {
			await moved(await signIn(stores(), anEmail()), anEmail(), until);
		}
		expect([await port().prune(at(11), 1), await port().prune(at(11), 5)]).toEqual([1, 1]);
		expect([await port().prune(at(11), 5), await backing.rows('emailUndos')]).toEqual([0, 1]);
	});

	it('of 12 undos at once one succeeds, and a change beside it loses or goes before', async () => {
		for (let round = 0; round < rounds(1, 30); round += 1) {
			const [start, there] = [anEmail(), anEmail()];
			const { id, person } = await moved(await signIn(stores(), start), there);
			const change = aChange(person, anEmail());
			await stores().emailChanges.request(change, accountOf(person), at(4));
			const before = await queued();
			const other = instanceOf(backing.instances, 1);
			const browsers = Array.from({ length: 12 }, () => aDevicePlacement());
			const [further, ...undone] = await Promise.all([
				other.emailChanges.complete(completing(person, change), at(5)),
				...browsers.map((device, i) =>
					instanceOf(backing.instances, i).emailUndos.undo(
						{ id, from: there, mails: [anOutboxRow()], device },
						at(5)
					)
				)
			]);
			const wins = undone.filter((one) => one !== null).length;
			// Whichever locks the account first wins: the other finds it elsewhere.
			expect([wins, further === null]).toEqual(wins === 1 ? [1, true] : [0, false]);
			expect(await queued()).toBe(before + wins);
			expect((await emailOf(start)) !== null).toBe(wins === 1);
			const known = await Promise.all(browsers.map(({ keyHash }) => knownAs(keyHash, start)));
			expect(known.map((one) => one !== null)).toEqual(undone.map((one) => one !== null));
		}
	});
});
