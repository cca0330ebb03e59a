import type { NoticeMoments } from '#lib/config/account.ts';
import type { ChangeNotice, ChangeNotices, Outbox } from '#lib/domain/index.ts';

/**
 * Tells the current address by mail. A notice that is not handed over throws, so that whatever runs
 * it logs that: nobody waits for its outcome.
 */
export const mailedNotices = (outbox: Outbox, when: NoticeMoments): ChangeNotices => {
	const tell = async (notice: ChangeNotice, stage: 'requested' | 'completed'): Promise<void> => {
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
			if (when.before) await tell(notice, 'requested');
		},
		completed: async (notice) => {
			if (when.after) await tell(notice, 'completed');
		}
	};
};
