import { refreshAll } from '$app/navigation';
import { visitor } from '../account/visitor.ts';
import { followRedirect } from '../forms/form.ts';

const CHANNEL = 'postern-signed-in';

/** Tells the other tabs of this browser to check whether they are signed in. It says no more. */
export const notifyOtherTabs = (): void => {
	const channel = new BroadcastChannel(CHANNEL);
	channel.postMessage(null);
	channel.close();
};

/**
 * Asks the server for this page again when another tab has signed in, and when the person comes back
 * to this tab, for example from their mailbox. Follows a redirect, because the browser is signed in
 * then. Otherwise loads the data of the page again if `mayRefresh` allows it and no code is being
 * typed. Returns a function that stops this.
 *
 * Any script of this origin can send the message, so it only makes the page ask the server. Nothing
 * here runs at intervals.
 */
export const keepCurrent = (mayRefresh = (): boolean => true): (() => void) => {
	let isStopped = false;
	let checks = Promise.resolve();
	const isTyping = (): boolean =>
		(document.querySelector<HTMLInputElement>('#code')?.value ?? '') !== '';
	const check = async (): Promise<void> => {
		if (isStopped) return;
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
	// One check at a time, however many messages arrive.
	const queueCheck = (): void => void (checks = checks.then(check));
	const onVisibility = (): void => {
		if (!document.hidden) queueCheck();
	};

	const channel = new BroadcastChannel(CHANNEL);
	channel.onmessage = () => {
		if (!visitor.isAuthenticated) queueCheck();
	};
	document.addEventListener('visibilitychange', onVisibility);
	return () => {
		isStopped = true;
		channel.close();
		document.removeEventListener('visibilitychange', onVisibility);
	};
};
