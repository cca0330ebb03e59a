import type { Delivery, AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { OutboxOf } from '../delivery/outbox.ts';
import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { EmailId, UserId } from '../ids.ts';
import type { UndoToken } from './undo-link.ts';

/** `requested`: a change by link was requested, and nothing has changed yet. */
export type NoticeStage = 'requested' | 'completed';

/** A notice of an email change, to the address before the change. */
export interface ChangeNoticeMail extends AnyMail, RequestDetails {
	readonly kind: 'email_change_notice';
	readonly newEmail: Email;
	readonly stage: NoticeStage;
	/** Undoes the change. Null when nothing can be undone. */
	readonly undoToken: UndoToken | null;
	/** Until when. */
	readonly undoUntil: Date | null;
}

/**
 * Notifies the owner of an account of email changes. An application can replace it with its own.
 */
export interface ChangeNotices {
	/** When there is a notice. */
	readonly stages: readonly NoticeStage[];
	/**
	 * Sends a notice. The outbox calls `send` again if it throws or returns anything but `sent` or
	 * `rejected`, for up to 24 hours.
	 */
	send(notice: ChangeNoticeMail, id: EmailId): Promise<Delivery>;
}

export interface NoticeDeps {
	readonly changeNotices: ChangeNotices;
	readonly outbox: OutboxOf<ChangeNoticeMail>;
}

/** The notice to store with a stage of an email change. Empty when there is none at this stage. */
export const noticeOf = (
	{ changeNotices, outbox }: NoticeDeps,
	notice: ChangeNoticeMail,
	userId: UserId
): readonly OutboxRow[] =>
	changeNotices.stages.includes(notice.stage)
		? [outbox.prepare(notice, { now: notice.at, queue: userId })]
		: [];
