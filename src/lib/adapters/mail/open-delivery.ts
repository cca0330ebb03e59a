import {
	makeDeliverMail,
	makeLeaseDue,
	type DeliverMailDeps
} from '#lib/domain/delivery/send-or-retry-mail.ts';
import type { LaneMailers } from '#lib/domain/delivery/ports.ts';
import type { Deps } from '#lib/domain/deps.ts';
import type { ChangeNotices } from '#lib/domain/email-change/ports.ts';
import type { Mailer } from '#lib/domain/mail.ts';
import { makeOutbox } from '#lib/domain/outbox.ts';
import type { Log } from '#lib/domain/ports.ts';
import type { MailerConfig } from './mail-renderer.ts';
import { openMailer, type MailTools } from './open-mailer.ts';
import { outboxWorker, type OutboxWorker, type WorkerParts } from './outbox-worker.ts';

/** How long emails may still start after shutdown has begun. */
const FINISH_WITHIN_MS = 5_000;

interface DeliveryConfig extends MailerConfig {
	readonly emailChange: { readonly noticeStages: ChangeNotices['stages'] };
}

interface DeliveryTools
	extends
		Omit<DeliverMailDeps, keyof LaneMailers | 'changeNotices' | 'log'>,
		Omit<MailTools, 'log'>,
		Deps<'ids'> {
	readonly log: Log;
}

export interface DeliveryOverrides {
	readonly mailer?: Mailer | undefined;
	readonly changeNotices?: ChangeNotices | undefined;
	/** Opens a worker in place of `outboxWorker`. */
	readonly openWorker?: ((parts: WorkerParts) => OutboxWorker) | undefined;
	/** Where the console mailer prints. By default, standard output. */
	readonly output?: NodeJS.WriteStream | undefined;
}

interface OpenedDelivery {
	readonly ports: Deps<'mailer' | 'outbox' | 'changeNotices'>;
	start(): void;
	/** For shutdown: sends the emails that are due, and closes the connections to the mail server. */
	finish(): Promise<void>;
}

/** Opens everything that sends emails: the mailer, the outbox and the worker that empties it. */
export const openDelivery = (
	config: DeliveryConfig,
	tools: DeliveryTools,
	overrides: DeliveryOverrides
): OpenedDelivery => {
	const log: Log['event'] = (name, fields) => tools.log.event(name, fields);
	const opened = openMailer(config, { ...tools, log }, overrides.mailer, overrides.output);
	const { mailer, lanes, paces, close } = opened;
	const { unconditional } = lanes;
	const changeNotices = overrides.changeNotices ?? {
		stages: config.emailChange.noticeStages,
		send: (notice, id) => unconditional.send(notice, id)
	};
	const parts: WorkerParts = {
		lease: makeLeaseDue(tools),
		deliver: makeDeliverMail({ ...tools, ...lanes, changeNotices, log }),
		onFault: (where, fault) => tools.log.fault(where, fault)
	};
	const worker = overrides.openWorker?.(parts) ?? outboxWorker(parts, paces, tools.timing);
	const outbox = makeOutbox({ ...tools, wake: () => worker.wake() });
	return {
		ports: { mailer, outbox, changeNotices },
		start: () => worker.start(),
		finish: async () => {
			await worker.finish(FINISH_WITHIN_MS);
			close();
		}
	};
};
