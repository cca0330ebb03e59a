import {
	makeDeliverEmail,
	makeLeaseDue,
	makeOutbox,
	type ChangeNotices,
	type DeliverEmailDeps,
	type Ids,
	type Mail,
	type Outbox
} from '#lib/domain/index.ts';
import type { NoticeMoments } from '#lib/config/account.ts';
import { emailNotices } from '../email-change/email-notices.ts';
import type { OpenedMail } from '../open-mailer.ts';
import { outboxWorker, type OutboxWorker, type WorkerParts } from './outbox-worker.ts';
import type { Timing } from './usual-duration.ts';

/** Opens a worker of an application's own, such as one for tests. */
export type OpenWorker = (parts: WorkerParts) => OutboxWorker;

type Needs = Omit<DeliverEmailDeps, 'following' | 'conditional' | 'changeNotices'>;

export interface OutboxTools extends Needs {
	readonly ids: Ids;
	readonly timing: Timing;
	readonly onFault: WorkerParts['onFault'];
	readonly noticeMoments: NoticeMoments;
}

/** An application can replace these. */
export interface OutboxParts {
	readonly openWorker?: OpenWorker | undefined;
	readonly changeNotices?: ChangeNotices | undefined;
}

export interface OpenedOutbox {
	readonly outbox: Outbox;
	readonly worker: OutboxWorker;
	readonly changeNotices: ChangeNotices;
}

/** The outbox of this process, and the worker that sends its emails. */
export const openOutbox = (
	{ lanes, paces }: Pick<OpenedMail, 'lanes' | 'paces'>,
	tools: OutboxTools,
	own: OutboxParts
): OpenedOutbox => {
	const { timing, onFault, noticeMoments } = tools;
	const changeNotices = own.changeNotices ?? emailNotices(lanes.following, noticeMoments);
	const parts = {
		lease: makeLeaseDue(tools),
		deliver: makeDeliverEmail({ ...tools, ...lanes, changeNotices }),
		onFault
	};
	const worker = own.openWorker?.(parts) ?? outboxWorker(parts, paces, timing);
	const outbox = makeOutbox<Mail>({ ...tools, wake: () => worker.wake() });
	return { outbox, worker, changeNotices };
};
