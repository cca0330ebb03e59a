import type { RequestEvent } from '@sveltejs/kit';
import { MINUTE } from '#lib/domain/time.ts';

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

/**
 * The settings page after an action, at the section that reports it. The report is in a cookie and
 * not in the URL, so that a link cannot make the page say it. A flash message is shown once on any
 * page. Its cookie also stores when the session expires. So this has a cookie of its own.
 */
export const settingsAfter = (
	{ locals }: RequestEvent,
	report: SettingsReport,
	query = ''
): string => {
	locals.ownCookies.set('settingsReport', report, MINUTE);
	return `/settings${query}#${SECTIONS[report]}`;
};

/** What this browser's last action did, once. */
export const takeSettingsReport = ({ locals, request }: RequestEvent): SettingsReport | null => {
	const report = locals.ownCookies.get('settingsReport');
	// A response to HEAD shows nothing, so the report stays for the page.
	if (report === null || request.method === 'HEAD') return null;
	locals.ownCookies.set('settingsReport', null);
	return Object.hasOwn(SECTIONS, report) ? (report as SettingsReport) : null;
};
