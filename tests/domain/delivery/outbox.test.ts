import { describe, expect, it } from 'vitest';
import { makeLeaseDue } from '#lib/domain/delivery/send-or-retry-mail.ts';
import type { MailId } from '#lib/domain/ids.ts';
import type { Mail } from '#lib/domain/mail.ts';
import { openMail, sealMail, type OutboxLane } from '#lib/domain/outbox.ts';
import type { LeasedMail } from '#lib/domain/delivery/ports.ts';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import {
	aFixture,
	aSealer,
	aSignedIn,
	type Fixture,
	type FixtureChanges
} from '../../support/domain/fixture.ts';
import { anId, secondsFromStart } from '../../support/domain/builders.ts';

const ada = 'ada@example.com';
const nobody = 'nob@example.com';
const HOUR = 3600;

/** Every request that emails only some email addresses. The other one gets nothing. */
const requests: Readonly<
	Record<
		string,
		{
			readonly due: string;
			readonly other: string;
			readonly request: (
				fixture: Fixture,
				address: string,
				mover: VerifiedCode
			) => Promise<unknown>;
		}
	>
> = {
	'a code that proves an address again': {
		due: ada,
		other: nobody,
		request: (fixture, address) => fixture.request(address, null, 'email_verification')
	},
	'a sign-in code while sign-up is closed': {
		due: ada,
		other: nobody,
		request: (fixture, address) => fixture.request(address)
	},
	'an email change by code': {
		due: nobody,
		other: ada,
		request: (fixture, address, mover) => fixture.askToMove(mover, address, 'code')
	},
	'an email change by link': {
		due: nobody,
		other: ada,
		request: (fixture, address, mover) => fixture.askToMove(mover, address, 'link')
	}
};
const signInAs = async (fixture: Fixture, email: string): Promise<VerifiedCode> => {
	const signedIn = await fixture.signIn(email);
	await fixture.background.flush();
	return signedIn;
};

/** A site with Ada and the mover, with closed sign-up if the request needs it. */
const aSiteFor = async (request: string, changes: FixtureChanges = {}) => {
	const open = aFixture();
	await signInAs(open, ada);
	const mover = await signInAs(open, 'mover@example.com');
	const signUp = request.startsWith('a sign-in code') ? 'closed' : 'open';
	const { stores, ids, random } = open;
	return { mover, fixture: aFixture({ signUp, ...changes, ...stores, ids, random }) };
};

const leaseAll = async (fixture: Fixture, lane: OutboxLane): Promise<readonly LeasedMail[]> => {
	const now = fixture.clock.now();
	return fixture.outboxRows.lease(lane, now, new Date(now.getTime() + 1), 100);
};

describe('an email that depends on an account', () => {
	it.each(Object.keys(requests))(
		'is sent to those it is for, and to no others: %s',
		async (name) => {
			const { due, other, request } = requests[name] ?? expect.fail();
			const { fixture, mover } = await aSiteFor(name);
			const before = fixture.mailer.mails.length;
			for (const address of [due, other]) await request(fixture, address, mover);
			await fixture.background.flush();
			const sent = fixture.mailer.mails.slice(before).map(({ to }) => to);
			expect(sent.filter((to) => to === due || to === other)).toEqual([due]);
			expect(await leaseAll(fixture, 'conditional')).toEqual([]);
			expect(await fixture.outboxRows.failed()).toEqual([]);
		}
	);

	it.each(Object.keys(requests))('is the same row for every address: %s', async (name) => {
		const { due, other, request } = requests[name] ?? expect.fail();
		const { fixture, mover } = await aSiteFor(name, { stopped: true });
		for (const address of [due, other]) await request(fixture, address, mover);
		const shape = ({ content, ...row }: LeasedMail): object => ({
			...row,
			id: '',
			length: content.length
		});
		const [first, second, ...more] = (await leaseAll(fixture, 'conditional')).map(shape);
		expect(first).toBeDefined();
		expect(second).toEqual(first);
		expect(more).toEqual([]);
	});
});

describe('an email that is not sent', () => {
	/** An account that was deleted while the mail server failed. */
	const failing = async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		await fixture.background.flush();
		fixture.mailer.meet('not_sent');
		await fixture.remove(signedIn);
		await fixture.background.flush();
		return fixture;
	};
	/** Moves time in steps and returns the seconds at which an attempt was made. */
	const attemptsUntil = async (fixture: Fixture, seconds: number, step: number) => {
		const made: number[] = [];
		const began = fixture.clock.now().getTime();
		for (let at = step; at <= seconds; at += step) {
			fixture.clock.advance(step);
			const before = fixture.tries();
			await fixture.sendDue();
			if (fixture.tries() > before) {
				made.push((fixture.clock.now().getTime() - began) / 1000);
			}
		}
		return made;
	};

	it('is tried again after pauses that grow to an hour, for a day, and is then given up', async () => {
		const fixture = await failing();
		const made = await attemptsUntil(fixture, 26 * HOUR, 15);
		expect(made.slice(0, 9)).toEqual([15, 45, 105, 225, 465, 945, 1905, 3825, 7425]);
		expect(made.at(-1)).toBeGreaterThan(22 * HOUR);
		expect(made.at(-1)).toBeLessThan(24 * HOUR);
		const [failed] = await fixture.listFailedMails();
		expect(failed).toMatchObject({ kind: 'account_deleted', failure: 'attempts_over', to: ada });
		expect(fixture.logged).toEqual([
			{
				event: 'mail_given_up',
				mail: 'account_deleted',
				id: failed?.id,
				attempts: failed?.attempts,
				failure: 'attempts_over'
			}
		]);
	});

	it('is tried again soon when the mailer throws, and the caller gets the error', async () => {
		const mailer = { send: () => Promise.reject(new Error('a bug')) };
		const { fixture } = await aSiteFor('a sign-in code', { stopped: true, mailer });
		await fixture.request(ada);
		const due = () => makeLeaseDue(fixture)('conditional', 1);
		const [lease] = await due();
		await expect(fixture.deliverMail(lease ?? expect.fail())).rejects.toThrow('a bug');
		fixture.clock.advance(fixture.policy.delivery.firstPause);
		expect(await due()).toMatchObject([{ attempt: 2 }]);
	});

	it('is sent again on request, with everything that it said', async () => {
		const fixture = await failing();
		await attemptsUntil(fixture, 25 * HOUR, 900);
		fixture.mailer.meet('sent');
		await fixture.sendDue();
		expect(fixture.mailer.mails.filter(({ kind }) => kind === 'account_deleted')).toEqual([]);
		expect(await fixture.retryMails(null)).toBe(1);
		await fixture.sendDue();
		expect(fixture.mailer.mails.at(-1)).toMatchObject({
			kind: 'account_deleted',
			to: ada,
			at: secondsFromStart(0),
			purgeAt: secondsFromStart(30 * 24 * HOUR)
		});
		expect(await fixture.listFailedMails()).toEqual([]);
	});

	it('begins with short pauses again when it is sent again on request', async () => {
		const fixture = await failing();
		await attemptsUntil(fixture, 25 * HOUR, 900);
		expect(await fixture.retryMails(null)).toBe(1);
		await fixture.sendDue();
		const made = await attemptsUntil(fixture, HOUR, 15);
		expect(made).toEqual([15, 45, 105, 225, 465, 945, 1905]);
	});

	it('begins with short pauses when no worker tried it for hours', async () => {
		const { fixture, signedIn } = await aSignedIn(ada, { stopped: true });
		await fixture.remove(signedIn);
		fixture.mailer.meet('not_sent');
		fixture.clock.advance(10 * HOUR);
		await fixture.sendDue();
		expect(await attemptsUntil(fixture, 240, 15)).toEqual([15, 45, 105, 225]);
	});

	it('is not tried after 55 of the 60 minutes of its link, and its content is wiped', async () => {
		const fixture = aFixture();
		const signedIn = await signInAs(fixture, 'mover@example.com');
		fixture.mailer.meet('not_sent');
		await fixture.askToMove(signedIn, nobody, 'link');
		const made = await attemptsUntil(fixture, 2 * HOUR, 15);
		expect(made.at(-1)).toBeLessThanOrEqual(55 * 60);
		expect(await fixture.listFailedMails()).toMatchObject([
			{ kind: 'email_change_link', failure: 'expired', content: '', to: null }
		]);
		expect(await fixture.retryMails(null)).toBe(0);
	});

	it('is given up at once when the mail server rejects it for good', async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		fixture.mailer.meet('rejected');
		await fixture.enterCode(ada, code);
		await fixture.background.flush();
		expect(await fixture.listFailedMails()).toMatchObject([
			{ kind: 'welcome', failure: 'rejected' }
		]);
	});

	it('found after its lifetime, is not sent', async () => {
		const fixture = aFixture({ stopped: true });
		const signedIn = await signInAs(fixture, 'mover@example.com');
		await fixture.askToMove(signedIn, nobody, 'link');
		fixture.clock.advance(59 * 60);
		await fixture.sendDue();
		expect(fixture.mailer.lastLinkTo(nobody)).toBeNull();
		expect(await fixture.listFailedMails()).toMatchObject([{ failure: 'expired', content: '' }]);
	});
});

describe('the content of a row', () => {
	const queued = async (emails: readonly string[]) => {
		const fixture = aFixture({ stopped: true });
		for (const email of emails) {
			const code = await fixture.sendTo(email);
			await fixture.enterCode(email, code);
		}
		return { fixture, rows: await leaseAll(fixture, 'unconditional') };
	};

	it('shows neither the recipient nor what is sent', async () => {
		const { rows } = await queued([ada]);
		expect(rows).toHaveLength(1);
		expect(JSON.stringify(rows)).not.toMatch(/ada|example/);
	});

	it('has its times again, wherever they are in the email', () => {
		const sealer = aSealer();
		const id = anId<MailId>();
		const [at, inner] = [secondsFromStart(1), secondsFromStart(2)];
		const mail = { kind: 'welcome', to: ada, at, more: { inner, all: [inner], time: 1, text: '' } };
		const email = { mail: mail as unknown as Mail, onlyIf: null };
		const content = sealMail(sealer, id, email);
		expect(openMail(sealer, { id, content })).toEqual(email);
	});

	it('opens in its own row only', async () => {
		const { fixture, rows } = await queued([ada, 'bob@example.com']);
		const [adas, bobs] = rows;
		if (adas === undefined || bobs === undefined) throw new Error('no rows');
		const before = fixture.mailer.mails.length;
		await fixture.deliverMail({ ...adas, content: bobs.content, until: secondsFromStart(60) });
		expect(fixture.mailer.mails).toHaveLength(before);
		expect(await fixture.listFailedMails()).toMatchObject([{ failure: 'unreadable' }]);
	});

	it('is kept when its secret is not configured, and opens once it is', async () => {
		const { fixture, rows } = await queued([ada]);
		const other = aFixture({
			...fixture.stores,
			mailSealer: aSealer('o'.repeat(32)),
			mailer: fixture.mailer
		});
		const [lease] = rows;
		if (lease === undefined) throw new Error('no row');
		await other.deliverMail({ ...lease, until: secondsFromStart(60) });
		expect(await other.listFailedMails()).toMatchObject([{ failure: 'unreadable', to: null }]);
		expect(await fixture.retryMails(null)).toBe(1);
		await fixture.sendDue();
		expect(fixture.mailer.mails.at(-1)).toEqual({ kind: 'welcome', to: ada });
	});

	it('is not sent by a process that was suspended until its lease was about to end', async () => {
		const { fixture, rows } = await queued([ada]);
		const [lease] = rows;
		if (lease === undefined) throw new Error('no row');
		const before = fixture.mailer.mails.length;
		await fixture.deliverMail({ ...lease, until: secondsFromStart(29) });
		expect(fixture.mailer.mails).toHaveLength(before);
		await fixture.deliverMail({ ...lease, until: secondsFromStart(30) });
		expect(fixture.mailer.mails).toHaveLength(before + 1);
	});
});
