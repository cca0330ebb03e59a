import { describe, expect, it } from 'vitest';
import type { MailEvent } from '#lib/domain/delivery/ports.ts';
import { messageName, readMessageName } from '#lib/domain/delivery/use-cases.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MailId } from '#lib/domain/ids.ts';
import type { CodeKey } from '#lib/domain/secret.ts';
import { anOccasion } from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, aSigner } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com' as Email;
const bob = 'bob@example.com';
type Fixture = ReturnType<typeof aFixture>;

/** The Message-ID of the email with the newest code of a browser. */
const messageIdOf = async (
	fixture: Fixture,
	codeKey: CodeKey,
	to: string = ada
): Promise<string> => {
	const hash = fixture.secretHasher.ofCodeKey(codeKey);
	const challenge = await fixture.challenges.latestOf(hash, 'sign_in');
	const id = challenge?.id as string as MailId;
	return `<${messageName(fixture.messageSigner, id, to as Email)}@example.org>`;
};

const anEvent = (fixture: Fixture, messageId: string, but: Partial<MailEvent> = {}): MailEvent => ({
	kind: 'bounced',
	messageId,
	recipients: [ada],
	at: fixture.clock.now(),
	...but
});

/** A browser that requested a code, and the event that its email bounced. */
const aBounce = async (fixture = aFixture()) => {
	const codeKey = fixture.aCodeKey();
	const code = await fixture.sendTo(ada, codeKey);
	const event = anEvent(fixture, await messageIdOf(fixture, codeKey));
	const isBounced = async (): Promise<boolean | undefined> =>
		(await fixture.readPendingCode(codeKey))?.bounced;
	return { fixture, codeKey, code, event, isBounced };
};

describe('a bounce', () => {
	it('is shown to the browser that requested the code, and to no other', async () => {
		const { fixture, event, isBounced } = await aBounce();
		const other = fixture.aCodeKey();
		await fixture.sendTo(ada, other);
		expect(await fixture.reportMailEvent(event)).toBe(true);
		expect(await isBounced()).toBe(true);
		expect((await fixture.readPendingCode(other))?.bounced).toBe(false);
	});

	it('locks nobody out: the code works, and so do another one and another sign-in', async () => {
		const { fixture, codeKey, code, event } = await aBounce();
		await fixture.reportMailEvent(event);
		expect((await fixture.enterCode(ada, code, { codeKey })).ok).toBe(true);
		await fixture.reportMailEvent(event);
		expect(await fixture.signIn(ada)).toBeTruthy();
	});

	it('does not show whether an account exists where sign-up is closed', async () => {
		const open = await aBounce();
		const fixture = aFixture({ signUp: 'closed', ...open.fixture.stores });
		await fixture.reportMailEvent(open.event);
		expect((await fixture.readPendingCode(open.codeKey))?.bounced).toBe(false);
	});

	it.each([
		['for another recipient', { recipients: [bob] }],
		['without a recipient', { recipients: [] }],
		['for text that is no address', { recipients: ['ada', 'ada@example.com, bob@example.com'] }],
		[
			'for more recipients than we ever have',
			{ recipients: [...Array<string>(10).fill(bob), ada] }
		],
		['of an email that is not ours', { messageId: '<CAF=abc@mail.example.net>' }]
	])('is ignored %s', async (_what, but) => {
		const { fixture, event, isBounced } = await aBounce();
		expect(await fixture.reportMailEvent({ ...event, ...but })).toBe(false);
		expect(await isBounced()).toBe(false);
	});

	it('is found in any spelling of the recipient', async () => {
		const { fixture, event, isBounced } = await aBounce();
		await fixture.reportMailEvent({ ...event, recipients: [bob, 'Ada@Example.COM'] });
		expect(await isBounced()).toBe(true);
	});
});

describe('a complaint', () => {
	const complain = async (fixture: Fixture) => {
		const bounce = await aBounce(fixture);
		return { ...bounce, event: { ...bounce.event, kind: 'complained' as const } };
	};
	const consentOf = async (fixture: Fixture): Promise<boolean | undefined> => {
		const account = await fixture.accounts.find(ada as Email);
		return account === null
			? undefined
			: (await fixture.stores.consents.of(account.id))?.marketingOptIn;
	};
	const aSubscriber = async () => {
		const { fixture, user } = await aSignedIn(ada);
		await fixture.grantConsent(user.id, anOccasion());
		fixture.clock.advance(60);
		return { user, ...(await complain(fixture)) };
	};

	it('withdraws the consent to news, with its reason, and stops no code', async () => {
		const { fixture, user, codeKey, code, event, isBounced } = await aSubscriber();
		expect(await fixture.reportMailEvent(event)).toBe(true);
		expect(await consentOf(fixture)).toBe(false);
		const [latest] = await fixture.consents.historyOf(user.id, 9);
		expect(latest).toMatchObject({ action: 'withdrawn', source: 'complaint', place: null });
		expect(await isBounced()).toBe(false);
		expect((await fixture.enterCode(ada, code, { codeKey })).ok).toBe(true);
		expect(await fixture.sendTo(ada)).toMatch(/^\d{6}$/);
	});
});

describe('a refusal of the address by the mail server', () => {
	it('is a result of its own, which is not counted, and earlier codes stay valid', async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		fixture.mailer.meet('bounced');
		for (let send = 0; send < 6; send += 1) {
			expect(await fixture.request(ada)).toEqual({ ok: false, error: { code: 'address_refused' } });
		}
		expect((await fixture.enterCode(ada, code)).ok).toBe(true);
	});

	it('is not told where sign-up is closed', async () => {
		const fixture = aFixture({ signUp: 'closed' });
		fixture.mailer.meet('bounced');
		expect((await fixture.request(ada)).ok).toBe(true);
	});
});

const signer = aSigner('new');
const id = '01955000-0000-7000-8000-000000000001' as MailId;
const name = messageName(signer, id, ada);

describe('the name of an email in its Message-ID', () => {
	it('leads back to the email, with or without brackets and domain', () => {
		for (const text of [name, `<${name}@example.org>`, `${name}@example.org`, ` <${name}> `]) {
			expect(readMessageName(signer, text, ada)).toBe(id);
		}
	});

	it('fits into the metadata of Postmark, and into an address', () => {
		expect(name.length).toBeLessThanOrEqual(80);
		expect(name).toMatch(/^[\w.-]+$/);
	});

	it('also does during a change of the secret', () => {
		expect(readMessageName(aSigner('newer', 'new'), name, ada)).toBe(id);
		expect(readMessageName(aSigner('newer'), name, ada)).toBeNull();
	});

	it.each([
		['of another recipient', name, 'bob@example.com'],
		['of another email', name.replace('0001.', '0002.'), ada],
		['without a signature', id, ada],
		['with a shorter one', name.slice(0, -1), ada],
		['of another system', '<CAF=abc@mail.example.net>', ada],
		['in a longer text', `x ${name}`, ada],
		['of nothing', '', ada]
	])('is not one %s', (_what, text, to) => {
		expect(readMessageName(signer, text, to as Email)).toBeNull();
	});
});
