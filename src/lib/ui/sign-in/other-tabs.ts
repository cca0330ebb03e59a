import { resolve } from '$app/paths';
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
 * Opens this page again once another tab has signed in. Its server then redirects to the target of
 * this page, or shows what a signed-in visitor sees here. Returns a function that stops this.
 *
 * Any script of this origin can send the message, so it only makes the page ask the server. A tab
 * that somebody comes back to asks as well, because not every sign-in happens on a page. Nothing
 * here runs at intervals.
 */
export const followOtherTabs = (): (() => void) => {
	let isStopped = false;
	let checks = Promise.resolve();
	const check = async (): Promise<void> => {
		if (isStopped || visitor.isAuthenticated) return;
		// Without a session, the guard redirects before anything is rendered. No rate limit counts it.
		const { ok } = await fetch(resolve('/app'), {
			method: 'HEAD',
			redirect: 'manual',
			signal: AbortSignal.timeout(5000)
		}).catch(() => Response.error());
		if (ok && !isStopped) await followRedirect(location.href);
	};
	// One check at a time, however many messages arrive.
	const queueCheck = (): void => void (checks = checks.then(check));
	const onVisibility = (): void => {
		if (!document.hidden) queueCheck();
	};

	const channel = new BroadcastChannel(CHANNEL);
	channel.onmessage = queueCheck;
	document.addEventListener('visibilitychange', onVisibility);
	return () => {
		isStopped = true;
		channel.close();
		document.removeEventListener('visibilitychange', onVisibility);
	};
};
