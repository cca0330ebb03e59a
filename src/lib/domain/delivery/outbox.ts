import type { AnyMail, Delivery } from './mailer.ts';

/**
 * Sends emails after the response, so that no request waits for them. As with a mailer, a failure
 * is returned as an outcome.
 */
export interface OutboxOf<M extends AnyMail> {
	/** Sends an email that is sent in every case. */
	readonly post: (mail: M) => Promise<Delivery>;

	/**
	 * Sends an email that only some recipients get, such as those who have an account. `isDue`
	 * decides, and is called when the email reaches the head of the queue.
	 *
	 * Only the email itself shows whether it was due. An email that is not due reaches the head of
	 * the queue at the same moment and delays the next one as long. It keeps later emails of `postIf`
	 * waiting for as long as usual, and takes no connection from a mailer or from `post`.
	 *
	 * Nothing is sent when `isDue` fails. The caller gets that failure.
	 *
	 * Returns `no_room` when the queue is full. Then `isDue` is not called and nothing is sent, so
	 * this outcome does not depend on whether the email was due.
	 */
	readonly postIf: (
		mail: M,
		isDue: () => Promise<boolean>
	) => Promise<Delivery | 'not_due' | 'no_room'>;
}
