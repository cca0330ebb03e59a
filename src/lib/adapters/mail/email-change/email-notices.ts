import type { NoticeMoments } from '#lib/config/account.ts';
import type { ChangeNotice, ChangeNotices, Outbox } from '#lib/domain/index.ts';

/**
 * Emails notices to the current email address. No request waits for a notice, so a failed delivery
 * throws and the code that runs it logs the error.
 */
export const emailNotices = (outbox: Outbox, when: NoticeMoments): ChangeNotices => {
	const send = async (notice: ChangeNotice, stage: 'requested' | 'completed'): Promise<void> => {
		const { from, to, at, device } = notice;
		const delivery = await outbox.post({
			kind: 'email_change_notice',
			to: from,
			newEmail: to,
			stage,
			at,
			device
		});
		if (delivery !== 'sent') throw new Error(`delivery ${delivery}`);
	};
	return {
		requested: async (notice) => {
			if (when.before) await send(notice, 'requested');
		},
		completed: async (notice) => {
			if (when.after) await send(notice, 'completed');
		}
	};
};
