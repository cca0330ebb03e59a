import type { RequestEvent } from '@sveltejs/kit';
import type { ActionResult } from '#lib/domain/operators/ports.ts';
import { DAY, MINUTE } from '#lib/domain/time.ts';
import type { messages } from '#lib/messages/messages.ts';

/** What just happened, on whichever page the person is next. */
export const PAGE_FLASHES = [
	'signed-out',
	'account-created',
	'email-changed',
	'email-restored',
	'account-restored'
] as const satisfies readonly (keyof typeof messages.flashes)[];

/** What an action of the settings did, and the section of the page that reports it. */
const SECTIONS = {
	'name-saved': 'profile',
	'link-sent': 'email',
	'sent-again': 'email',
	'change-cancelled': 'email',
	'device-ended': 'devices',
	'device-removed': 'devices',
	'others-ended': 'devices',
	'application-ended': 'applications',
	'consent-given': 'consent',
	'consent-withdrawn': 'consent'
} as const;

export type SettingsReport = keyof typeof SECTIONS;

type Flash =
	| (typeof PAGE_FLASHES)[number]
	| SettingsReport
	/** For the page about deleted accounts. */
	| 'account-deleted'
	| 'restore-offered'
	/** For the page of an operator who acted on an account. */
	| 'done'
	| Extract<ActionResult, string>;

/**
 * For the page about deleted accounts. A reload shows the same text, and after the offer to restore
 * has timed out, the page can say so.
 */
export const DELETED_FLASH_LIFETIME_S = DAY;

/**
 * Tells the next page of this browser what happened. It is a cookie and not a part of the URL, so
 * that a link cannot make our pages say it. `lifetime` is in seconds.
 */
export const setFlash = ({ locals }: RequestEvent, flash: Flash, lifetime = MINUTE): void =>
	locals.ownCookies.set('flash', flash, lifetime);

/** Returns and clears the flash if this page knows it. Another one stays for the page that does. */
export const takeFlash = <Known extends Flash>(
	{ locals, request }: RequestEvent,
	known: readonly Known[]
): Known | null => {
	const set = locals.ownCookies.get('flash');
	const flash = known.find((one) => one === set) ?? null;
	// A response to HEAD shows nothing, so the flash stays for the page.
	if (flash === null || request.method === 'HEAD') return null;
	locals.ownCookies.delete('flash');
	return flash;
};

/** Stores what an action did, and returns the URL of the section of the settings that reports it. */
export const settingsAfter = (event: RequestEvent, report: SettingsReport, query = ''): string => {
	setFlash(event, report);
	return `/settings${query}#${SECTIONS[report]}`;
};

export const takeSettingsReport = (event: RequestEvent): SettingsReport | null =>
	takeFlash(event, Object.keys(SECTIONS) as SettingsReport[]);
