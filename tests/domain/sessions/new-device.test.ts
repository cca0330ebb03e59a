import { describe, expect, it } from 'vitest';
import type { NewDeviceMail } from '#lib/domain/mail.ts';
import type { ProgramKey, PresentedKey } from '#lib/domain/secret.ts';
import type { VerifyCodeInput } from '#lib/domain/sign-in/verify-code.ts';
import { aRequestSource } from '../../support/domain/builders.ts';
import { aFixture, aSigner, errorOf, valueOf, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const aProgram = (name: string): PresentedKey => ({
	kind: 'program',
	key: name.repeat(22) as ProgramKey
});
const unknownLink = { code: 'unknown_new_device_link' };

/** Signs in, and returns the notices that this caused with the result. */
const signInAs = async (fixture: Fixture, shown: Partial<VerifyCodeInput> = {}, email = ada) => {
	const code = await fixture.sendTo(email);
	const before = fixture.mailer.mails.length;
	const verified = valueOf(await fixture.enterCode(email, code, shown));
	await fixture.background.flush();
	const notices = fixture.mailer.mails
		.slice(before)
		.filter((mail): mail is NewDeviceMail => mail.kind === 'new_device');
	fixture.clock.advance(600);
	return { ...verified, notices };
};
const inBrowser = { keepsCookies: true };

describe('a notice about a new device', () => {
	it('T08: goes to the owner with when, where and a link, for every sign-in on a new one but the first', async () => {
		const fixture = aFixture();
		expect((await signInAs(fixture, inBrowser)).notices).toEqual([]);
		const at = fixture.clock.now();
		const { notices } = await signInAs(fixture, inBrowser);
		expect(notices).toEqual([
			{
				kind: 'new_device',
				to: ada,
				at,
				source: aRequestSource(),
				hasKey: true,
				token: expect.stringMatching(/^[0-9a-f-]{36}\.[0-9a-f-]{36}\.[\w-]{43}$/)
			}
		]);
		expect((await signInAs(fixture, { presentedKey: aProgram('p') })).notices).toHaveLength(1);
	});

	it('no guess, no check and no sign-in to a deleted account causes one', async () => {
		const fixture = aFixture();
		await signInAs(fixture);
		const sent = (): number =>
			fixture.mailer.mails.filter(({ kind }) => kind === 'new_device').length;
		await fixture.enterCode(ada, '000000', inBrowser);
		await fixture.check(ada, await fixture.sendTo(ada));
		await fixture.background.flush();
		expect(sent()).toBe(0);
		const { user } = await signInAs(fixture, inBrowser);
		expect(sent()).toBe(1);
		await fixture.remove({ user });
		expect((await fixture.enterCode(ada, await fixture.sendTo(ada), inBrowser)).ok).toBe(false);
		await fixture.background.flush();
		expect(sent()).toBe(1);
	});
});

describe('the link of the notice', () => {
	const anIntruder = async (fixture: Fixture) => {
		const owner = await signInAs(fixture, inBrowser);
		const thief = await signInAs(fixture, inBrowser);
		const token = thief.notices[0]?.token;
		if (token === undefined) throw new Error('no notice');
		return { owner, thief, token };
	};

	it('T09 K04: works for no other session: each part belongs to the signature', async () => {
		const fixture = aFixture();
		const { owner, thief, token } = await anIntruder(fixture);
		const [session = '', device = '', signature = ''] = token.split('.');
		const forged = [
			[owner.session.id, device, signature].join('.'),
			[session, owner.session.id, signature].join('.'),
			[session, '', signature].join('.'),
			[session, device].join('.'),
			[session, device, ''].join('.'),
			[session, device, signature, ''].join('.'),
			[session, device, `A${signature.slice(1)}`].join('.'),
			fixture.unsubscribeSigner.sign(`unsubscribe ${thief.user.id}`),
			'',
			'..'
		].filter((text) => text !== token);
		for (const text of forged) {
			expect(await fixture.readNewDevice(text)).toBeNull();
			expect(errorOf(await fixture.signOutNewDevice(text))).toEqual(unknownLink);
		}
		expect(await fixture.whoIs(thief.token)).toEqual(thief.user);
	});

	it('N02 works while the secret that signed it is configured', async () => {
		const before = aFixture({ newDeviceSigner: aSigner('old') });
		const { token } = await anIntruder(before);
		const on = (...keys: string[]): Fixture =>
			aFixture({ ...before.stores, newDeviceSigner: aSigner(...keys) });
		expect(await on('new').readNewDevice(token)).toBeNull();
		expect(await on('new', 'old').readNewDevice(token)).toMatchObject({
			device: { userAgent: aRequestSource().userAgent }
		});
	});
});
