import { refreshAll } from '$app/navigation';

/**
 * Loads the data of this page again when the person comes back to its tab, for example from their
 * mailbox, if the server's page has an element with this id. Nothing here runs at intervals. Returns
 * a function that stops this.
 *
 * A refresh that fails would replace the form by an error page. So a request comes first whose
 * failure has no effect.
 */
export const refreshOnReturn = (mayRefresh: () => boolean, id: string): (() => void) => {
	let isStopped = false;
	const check = async (): Promise<void> => {
		const html = await fetch(location.href, {
			redirect: 'manual',
			signal: AbortSignal.timeout(5000)
		})
			.then((response) => (response.ok ? response.text() : ''))
			.catch(() => '');
		// The person may have typed meanwhile.
		if (html.includes(`id="${id}"`) && !isStopped && mayRefresh()) await refreshAll();
	};
	const onVisibility = (): void => {
		if (!document.hidden && mayRefresh()) void check();
	};
	document.addEventListener('visibilitychange', onVisibility);
	return () => {
		isStopped = true;
		document.removeEventListener('visibilitychange', onVisibility);
	};
};
