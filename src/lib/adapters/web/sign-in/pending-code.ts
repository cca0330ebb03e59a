import type { RequestEvent } from '@sveltejs/kit';
import { codeBrowserOf } from '../edge/caller.ts';

/**
 * The pending code of this browser and page, as the page shows it. Null if there is none. Contains
 * durations instead of times, because the visitor's clock may be wrong.
 */
export const pendingCode = async (event: RequestEvent) => {
	const { app } = event.locals;
	const browser = codeBrowserOf(event);
	const pending = browser && (await app.readPendingCode(browser));
	if (pending === null) return null;
	const { email, state, attemptsLeft, attemptsAllowed, expiresAt, sentAt, resendAt, bounced } =
		pending;
	const now = app.clock.now();
	const secondsUntil = (instant: Date): number =>
		Math.max(0, Math.ceil((instant.getTime() - now.getTime()) / 1000));
	return {
		email,
		inbox: inboxOf(email),
		state,
		attemptsLeft,
		attemptsAllowed,
		secondsLeft: secondsUntil(expiresAt),
		sentAt,
		resendIn: secondsUntil(resendAt),
		bounced
	};
};

interface Inbox {
	readonly name: string;
	readonly url: string;
}

const inbox = (name: string, url: string, ...domains: readonly string[]) =>
	domains.map((domain): readonly [string, Inbox] => [domain, { name, url }]);

/** Webmail addresses of well-known providers, by domain. */
const INBOXES: ReadonlyMap<string, Inbox> = new Map([
	...inbox('Gmail', 'https://mail.google.com/', 'gmail.com', 'googlemail.com'),
	...inbox(
		'Outlook',
		'https://outlook.live.com/mail/',
		'outlook.com',
		'hotmail.com',
		'live.com',
		'msn.com',
		'outlook.de',
		'hotmail.de',
		'hotmail.co.uk',
		'hotmail.fr',
		'live.nl'
	),
	...inbox('Yahoo Mail', 'https://mail.yahoo.com/', 'yahoo.com', 'ymail.com', 'yahoo.co.uk'),
	...inbox('iCloud Mail', 'https://www.icloud.com/mail/', 'icloud.com', 'me.com', 'mac.com'),
	...inbox('Proton Mail', 'https://mail.proton.me/', 'proton.me', 'protonmail.com', 'pm.me'),
	...inbox('Fastmail', 'https://app.fastmail.com/', 'fastmail.com', 'fastmail.fm'),
	...inbox('AOL Mail', 'https://mail.aol.com/', 'aol.com'),
	...inbox('GMX', 'https://www.gmx.net/', 'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'),
	...inbox('WEB.DE', 'https://web.de/', 'web.de'),
	...inbox('HEY', 'https://app.hey.com/', 'hey.com')
]);

/** The webmail of an email address, or null if we don't know it. */
export const inboxOf = (email: string): Inbox | null =>
	INBOXES.get(email.slice(email.lastIndexOf('@') + 1)) ?? null;
