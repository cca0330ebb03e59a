import { describe, expect, it } from 'vitest';
import { err, ok, StoreUnavailable, type DomainErrorCode } from '#lib/domain/errors.ts';
import { defaultPolicy, withEmailBudget } from '#lib/domain/policy.ts';
import {
	newLinkToken,
	newRestoreToken,
	newSecret,
	type UnsubscribeToken
} from '#lib/domain/secret.ts';
import { aClientInfo, anOccasion } from '../support/domain/builders.ts';
import { aFixture, errorOf, wrong } from '../support/domain/fixture.ts';

const ada = 'ada@example.com';

/** One example for each code; a code without one does not compile. */
const ways: Record<DomainErrorCode, () => Promise<{ readonly code: string } | null>> = {
	invalid_email: async () => errorOf(await aFixture().request('ada')),
	too_many_sends: async () => {
		const fixture = aFixture();
		for (let send = 0; send < 5; send += 1) await fixture.sendTo(ada);
		return errorOf(await fixture.request(ada));
	},
	proof_required: async () => errorOf(await aFixture({ proofOfWork: true }).request(ada)),
	too_many_network_sends: async () => {
		const fixture = aFixture({ policy: withEmailBudget(defaultPolicy, 100) });
		for (let send = 0; send < 5; send += 1) await fixture.request(`p${send}@example.com`);
		return errorOf(await fixture.request(ada));
	},
	too_many_wrong_codes: async () => {
		const { guessing } = defaultPolicy;
		const fixture = aFixture({
			policy: { ...defaultPolicy, guessing: { ...guessing, networkWrong: 1 } }
		});
		const code = wrong(await fixture.sendTo(ada));
		await fixture.guess(ada, code);
		return errorOf(await fixture.guess(ada, code));
	},
	over_budget: async () => {
		const fixture = aFixture({ policy: withEmailBudget(defaultPolicy, 1) });
		await fixture.request('bob@example.com');
		return errorOf(await fixture.request(ada));
	},
	delivery_failed: async () => errorOf(await aFixture().request('bounces@example.test')),
	address_refused: async () => errorOf(await aFixture().request('nobody@example.test')),
	mail_busy: async () => errorOf(await aFixture().request('busy@example.test')),
	invalid_code: async () => errorOf(await aFixture().guess(ada, '123456')),
	expired_code: async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		fixture.clock.advance(600);
		return errorOf(await fixture.guess(ada, code));
	},
	too_many_attempts: async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		for (let time = 0; time < 5; time += 1) await fixture.guess(ada, wrong(code));
		return errorOf(await fixture.guess(ada, code));
	},
	same_email: async () => {
		const fixture = aFixture();
		return errorOf(await fixture.askToMove(await fixture.signIn(ada), ada));
	},
	email_taken: async () => {
		const fixture = aFixture();
		const signedIn = await fixture.signIn(ada);
		const code = await fixture.codeToMove(signedIn, 'new@example.com');
		await fixture.signIn('new@example.com');
		return errorOf(await fixture.moveByCode(signedIn, 'new@example.com', code));
	},
	invalid_link: async () => {
		const fixture = aFixture();
		const link = newLinkToken(fixture.random, () => '');
		return errorOf(await fixture.moveByLink(await fixture.signIn(ada), link));
	},
	session_not_fresh: async () => {
		const fixture = aFixture({ reauthentication: true });
		const signedIn = await fixture.signIn(ada);
		fixture.clock.advance(15 * 60);
		return errorOf(await fixture.askToMove(signedIn, 'new@example.com'));
	},
	links_off: async () => {
		const fixture = aFixture({ changeLinks: false });
		return errorOf(await fixture.askToMove(await fixture.signIn(ada), 'new@example.com', 'link'));
	},
	account_deleted: async () => {
		const fixture = aFixture();
		await fixture.remove(await fixture.signIn(ada));
		return errorOf(await fixture.guess(ada, await fixture.sendTo(ada)));
	},
	account_blocked: async () => {
		const fixture = aFixture();
		const { id } = (await fixture.signIn(ada)).user;
		await fixture.operators.block({ userId: id, now: fixture.clock.now(), mayBeOperator: false });
		return errorOf(await fixture.guess(ada, await fixture.sendTo(ada)));
	},
	too_many_consents: async () => {
		const fixture = aFixture();
		const { id } = (await fixture.signIn(ada)).user;
		for (let time = 0; time < 10; time += 1) {
			await fixture.grantConsent(id, anOccasion());
			await fixture.withdrawConsent(id, anOccasion());
		}
		return errorOf(await fixture.grantConsent(id, anOccasion()));
	},
	unknown_unsubscribe_link: async () => {
		const fixture = aFixture();
		const token = newSecret(fixture.random) as UnsubscribeToken;
		return errorOf(await fixture.withdrawByLink(token, anOccasion()));
	},
	invalid_undo_link: async () =>
		errorOf(await aFixture().undoEmailChange({ token: 'x.y', client: aClientInfo() })),
	address_reserved: async () => {
		const fixture = aFixture();
		await fixture.move(await fixture.signIn(ada), 'new@example.com');
		return errorOf(await fixture.guess(ada, await fixture.sendTo(ada)));
	},
	unknown_device_link: async () => errorOf(await aFixture().signOutReportedDevice('x.y.z')),
	invalid_restore_grant: async () => {
		const fixture = aFixture();
		const restoreToken = newRestoreToken(fixture.random);
		return errorOf(await fixture.restoreAccount({ restoreToken, client: aClientInfo() }));
	}
};

describe('errors', () => {
	it.each(Object.entries(ways))('a use-case returns %s', async (code, way) => {
		expect((await way())?.code).toBe(code);
	});

	it('an unavailable store throws StoreUnavailable, with the reason in its message', () => {
		const fault = new StoreUnavailable('read only');
		expect(fault).toBeInstanceOf(Error);
		expect([fault.name, fault.reason, fault.message]).toEqual([
			'StoreUnavailable',
			'read only',
			'store unavailable (read only)'
		]);
	});
});

describe('a result', () => {
	it('is either a value or an error', () => {
		expect([ok(1), err('no')]).toEqual([
			{ ok: true, value: 1 },
			{ ok: false, error: 'no' }
		]);
	});
});
