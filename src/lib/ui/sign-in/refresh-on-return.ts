import { refreshAll } from '$app/navigation';

/**
 * Loads the data of this page again when the person comes back to its tab, for example from their
 * mailbox. Nothing here runs at intervals. Returns a function that stops this.
 */
export const refreshOnReturn = (mayRefresh: () => boolean): (() => void) => {
	const onVisibility = (): void => {
		if (!document.hidden && mayRefresh()) void refreshAll();
	};
	document.addEventListener('visibilitychange', onVisibility);
	return () => document.removeEventListener('visibilitychange', onVisibility);
};
