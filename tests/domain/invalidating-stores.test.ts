import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { memoryStores } from '../support/memory/stores.ts';
import { memoryTables, type MemoryTables } from '../support/memory/tables.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import { invalidatingStores } from '#lib/domain/invalidating-stores.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { newDeviceToken } from '#lib/domain/signed-links.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { aRequestSource, aName, anId } from '../support/domain/builders.ts';
import { aFixture, aSignedIn, valueOf, type Fixture } from '../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';

type Report = { readonly ended: readonly string[]; readonly changed: readonly string[] };

/** What an operation really did: the sessions that are gone, and the accounts that differ. */
const difference = (before: MemoryTables, after: MemoryTables): Report => ({
	ended: [...before.sessions.keys()].filter((id) => !after.sessions.has(id)),
	changed: [...before.users]
		.filter(([id, row]) => !isDeepStrictEqual(row, after.users.get(id)))
		.map(([id]) => id)
});

/** A fixture over invalidating stores. Each operation is compared with what it reported. */
const audited = (policy = defaultPolicy) => {
	const tables = memoryTables();
	const reported: string[] = [];
	const audit: string[] = [];
	const stores = invalidatingStores(memoryStores(tables), (ids) => {
		reported.push(...ids);
	});
	const withAudit = <Store extends object>(name: string, store: Store): Store =>
		Object.fromEntries(
			Object.entries(store).map(([op, run]: [string, (...input: unknown[]) => unknown]) => [
				op,
				async (...input: unknown[]) => {
					const before = structuredClone(tables);
					reported.length = 0;
					const result = await run(...input);
					const done = difference(before, tables);
					const ended = reported.filter((id) => before.sessions.has(id as SessionId));
					expect(ended.toSorted(), `${name}.${op}`).toEqual(done.ended.toSorted());
					// Without a session, nothing of an account is cached.
					const cached = [...tables.sessions.values()].map(({ userId }) => userId as string);
					const due = done.changed.filter((id) => cached.includes(id));
					expect(reported, `${name}.${op}`).toEqual(expect.arrayContaining(due));
					if (reported.length > 0) audit.push(`${name}.${op}`);
					return result;
				}
			])
		) as Store;
	const watched = Object.fromEntries(
		Object.entries(stores).map(([name, store]) => [name, withAudit(name, store as object)])
	) as unknown as Stores;
	return { fixture: aFixture({ ...watched, policy }), audit };
};

/** Everything that ends a session or changes an account. */
const changes: Readonly<Record<string, (fixture: Fixture) => Promise<unknown>>> = {
	'sessions.end': async (fixture) => fixture.endSessionByToken((await fixture.signIn(ada)).token),
	'sessions.endOne': async (fixture) => {
		const { user, session } = await fixture.signIn(ada);
		await fixture.endSessionById(user.id, session.id);
	},
	'sessions.endSessionsExcept': async (fixture) => {
		await fixture.signIn(ada);
		const { user, session } = await fixture.signIn(ada);
		await fixture.endSessionsExcept(user.id, session.id);
	},
	'sessions.endOnDevice': async (fixture) => {
		const { session } = await fixture.signIn(ada);
		const signIn = { session: session.id, device: null };
		await fixture.signOutNewDevice(newDeviceToken(fixture.newDeviceSigner, signIn));
	},
	'signIns.redeem': async (fixture) => fixture.signIn(bob, (await fixture.signIn(ada)).token),
	'accounts.update': async (fixture) => {
		const { user } = await fixture.signIn(ada);
		await fixture.updateProfile(user.id, { name: aName('Ada') });
	},
	'accounts.delete': async (fixture) => {
		await fixture.signIn(ada);
		await fixture.remove(await fixture.signIn(ada));
	},
	'accounts.purge': async (fixture) => {
		await fixture.remove(await fixture.signIn(ada));
		fixture.clock.advance(fixture.policy.deletion.grace);
		await fixture.purgeAccounts();
	},
	'emailUndos.undo': async (fixture) => {
		await fixture.move(await fixture.signIn(ada), 'new@example.com');
		const token = fixture.undoTokens.at(-1) ?? '';
		await fixture.undoEmailChange({ token, source: aRequestSource() });
	},
	'emailChanges.complete': async (fixture) => {
		await fixture.signIn(ada);
		await fixture.move(await fixture.signIn(ada), 'new@example.com');
		await fixture.signIn(bob);
		const account = await fixture.findAccount(bob);
		if (account === null) throw new Error('no account');
		const asked = await fixture.requestOperatorEmailChange(account, 'newer@example.com');
		const mail = fixture.mailer.mails.at(-1);
		if (mail?.kind !== 'operator_email_change_code') throw new Error('no code');
		await fixture.confirmOperatorEmailChange(valueOf(asked), mail.code, 'a reason');
	},
	'operators.act': async (fixture) => {
		const { user } = await fixture.signIn(ada);
		// The worker of the outbox would call stores in between.
		await fixture.background.flush();
		for (const verb of ['grant', 'end_sessions', 'block'] as const) {
			await fixture.actOnAccount({ verb, userId: user.id, allowsOperators: true });
		}
	}
};

describe('stores that invalidate the caches of their process', () => {
	it.each(Object.entries(changes))(
		'E06: %s reports every session that it ends and every account that it changes',
		async (operation, change) => {
			const { fixture, audit } = audited();
			await change(fixture);
			expect(audit).toContain(operation);
		}
	);

	it('E06: a sign-in reports the sessions that it ends because the account has too many', async () => {
		const session = { ...defaultPolicy.session, perAccount: 2 };
		const { fixture, audit } = audited({ ...defaultPolicy, session });
		for (let opened = 0; opened < 3; opened += 1) await fixture.signIn(ada);
		expect(audit).toEqual(['signIns.redeem']);
	});

	it('report after the commit and before the result, even when no caller awaits it', async () => {
		const tables = memoryTables();
		const order: string[] = [];
		const { sessions, signIns } = invalidatingStores(memoryStores(tables), (ids) => {
			if (ids.length > 0) order.push(`reported, ${tables.sessions.size} sessions are left`);
		});
		const { user, session } = await aSignedIn(ada, {
			...memoryStores(tables),
			sessions,
			signIns
		});
		void sessions.endOne(user.id, session.id).then(() => order.push('answered'));
		await expect.poll(() => order).toEqual(['reported, 0 sessions are left', 'answered']);
	});

	it.each([
		['accounts', 'update', null],
		['accounts', 'delete', null],
		['emailChanges', 'complete', null],
		['emailChanges', 'complete', 'email_taken'],
		['operators', 'act', 'not_allowed'],
		['sessions', 'end', null],
		// However many sessions expired, this costs no cache entry.
		['sessions', 'prune', 3],
		['signIns', 'redeem', null],
		['signIns', 'redeem', { kind: 'deleted' }]
	] as const)('report nothing after %s.%s with the result %j', async (name, operation, result) => {
		const reported: unknown[] = [];
		const report = (ids: readonly unknown[]) => void reported.push(...ids);
		const all = memoryStores();
		const store = { ...all[name], [operation]: async () => result };
		const stores = invalidatingStores({ ...all, [name]: store }, report);
		const changing = stores[name] as unknown as Record<string, (input: object) => unknown>;
		expect(await changing[operation]?.({})).toEqual(result);
		expect(reported).toEqual([]);
	});

	it('report nothing when an operation fails', async () => {
		const reported: unknown[] = [];
		const stores = memoryStores();
		const broken = {
			...stores.sessions,
			endSessionsExcept: () => Promise.reject(new Error('no database'))
		};
		const { sessions } = invalidatingStores({ ...stores, sessions: broken }, (ids) => {
			reported.push(ids);
		});
		await expect(sessions.endSessionsExcept(anId<UserId>(), null)).rejects.toThrow('no database');
		expect(reported).toEqual([]);
	});
});
