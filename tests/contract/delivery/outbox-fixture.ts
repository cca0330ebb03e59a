import type { Timing } from '#lib/adapters/mail/fair-queue.ts';
import { outboxWorker, type LanePaces } from '#lib/adapters/mail/outbox-worker.ts';
import { countingIds, fixedClock } from '../../support/memory/drivers.ts';
import { memoryMailer } from '../../support/memory/mailer.ts';
import { memoryStores } from '../../support/memory/stores.ts';
import { makeDeliverMail, makeLeaseDue } from '#lib/domain/delivery/send-or-retry-mail.ts';
import type { ConditionalMailer, LeaseDue } from '#lib/domain/delivery/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { Mail, Mailer } from '#lib/domain/mail.ts';
import { makeOutbox } from '#lib/domain/outbox.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { aChallengeFor, aUser } from '../../support/domain/builders.ts';
import { aSealer } from '../../support/domain/fixture.ts';
import { fakeTiming, type FakeTiming } from '../../support/time/fake-timing.ts';
import { exampleMails } from '../../support/mail/examples.ts';

export const SLOT = 100;
const { email_verification_code: codeMail, welcome } = exampleMails;

interface OutboxFixtureOptions<T extends Timing = FakeTiming> {
	readonly timing: T;
	readonly paces?: Partial<LanePaces>;
	readonly unconditional?: Mailer;
	readonly conditional?: ConditionalMailer;
	/** Replaces the lease of the store. */
	readonly lease?: LeaseDue;
}

/** A worker over an outbox in memory, which records what happens when. */
export const timedOutboxFixture = <T extends Timing>(options: OutboxFixtureOptions<T>) => {
	const { timing } = options;
	const clock = fixedClock();
	const mailer = memoryMailer();
	const stores = memoryStores();
	const events: (readonly [string, number])[] = [];
	const faults: (readonly [string, unknown])[] = [];
	const withAccount = new Set<string>();
	const note = (event: string): void => void events.push([event, timing.now()]);
	const noted = (name: string): Mailer => ({
		send: (mail, id) => {
			note(`${name} ${mail.to}`);
			return mailer.send(mail, id);
		}
	});
	const deps = {
		...stores,
		accounts: {
			find: async (email: Email) => {
				note(`looked up ${email}`);
				if (!withAccount.has(email)) return null;
				return { ...aUser({ email }), deletedAt: null, blockedAt: null, role: null };
			}
		},
		unconditional: options.unconditional ?? noted('unconditional'),
		conditional: options.conditional ?? {
			...noted('conditional'),
			dryRun: async ({ to }: Mail) => note(`dry run ${to}`)
		},
		changeNotices: { send: () => Promise.resolve('sent' as const) },
		mailSealer: aSealer(),
		clock,
		policy: defaultPolicy,
		log: () => undefined
	};
	const worker = outboxWorker(
		{
			lease: options.lease ?? makeLeaseDue(deps),
			deliver: makeDeliverMail(deps),
			onFault: (where, fault) => faults.push([where, fault])
		},
		{
			unconditional: { concurrency: 3, startInterval: 0 },
			conditional: { concurrency: 5, startInterval: SLOT },
			...options.paces
		},
		timing
	);
	const ids = countingIds();
	const outbox = makeOutbox({ ...deps, ids, wake: worker.wake });
	const add = async (mail: Mail, queue: string, onlyIf?: 'account'): Promise<void> => {
		const now = clock.now();
		const plan = { now, fairnessKey: queue, ...(onlyIf && { onlyIf }) };
		await stores.challenges.issue(aChallengeFor(ids.next()), now, [outbox.prepare(mail, plan)]);
		outbox.wake();
	};
	return {
		timing,
		clock,
		mailer,
		events,
		faults,
		worker,
		rows: stores.outboxRows,
		/** An email that only an account gets. */
		addIf: (to: string, isDue: boolean, queue = 'a network') => {
			if (isDue) withAccount.add(to);
			return add({ ...codeMail, to: to as Email }, queue, 'account');
		},
		addWelcome: (to: string = welcome.to) => add({ ...welcome, to: to as Email }, 'a network')
	};
};

/** An outbox in a time that moves only when a test moves it. */
export const anOutboxFixture = (options: Partial<OutboxFixtureOptions> = {}) =>
	timedOutboxFixture({ timing: fakeTiming(), ...options });

export type OutboxFixture = ReturnType<typeof anOutboxFixture>;
