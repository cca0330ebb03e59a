import { refreshAll } from '$app/navigation';
import { followRedirect } from '../forms/form.ts';

/**
 * Asks the server for this page again when the person comes back to this tab, for example from
 * their mailbox or from another tab. Follows a redirect, because the browser is signed in then.
 * Otherwise loads the data of the page again if `mayRefresh` allows it and no code is being typed.
 * Returns a function that stops this.
 */
export const keepCurrent = (mayRefresh = (): boolean => true): (() => void) => {
	let isStopped = false;
	const isTyping = (): boolean =>
		(document.querySelector<HTMLInputElement>('#code')?.value ?? '') !== '';
	const check = async (): Promise<void> => {
		if (document.hidden) return;
		// The failure of this request has no effect. That of a refresh would replace the form by an error.
		const { ok, type } = await fetch(location.href, {
			method: 'HEAD',
			redirect: 'manual',
			signal: AbortSignal.timeout(5000)
		}).catch(() => Response.error());
		if (isStopped) return;
		if (type === 'opaqueredirect') await followRedirect(location.href);
		else if (ok && mayRefresh() && !isTyping()) await refreshAll();
	};
	const onVisibility = (): void => void check();
	document.addEventListener('visibilitychange', onVisibility);
	return () => {
		isStopped = true;
		document.removeEventListener('visibilitychange', onVisibility);
	};
};
