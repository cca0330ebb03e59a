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
 * The settings page after an action, at the section that reports it. A flash message is shown once on
 * any page. Its cookie also stores when the session expires. So this has a cookie of its own.
 */
export const settingsAfter = (event: RequestEvent, report: SettingsReport, query = ''): string => {
	setReport(event, report);
	return `/settings${query}#${SECTIONS[report]}`;
};

/** What this browser's last action did, once. */
export const takeSettingsReport = (event: RequestEvent): SettingsReport | null => {
	const report = takeReport(event);
	return report !== null && Object.hasOwn(SECTIONS, report) ? (report as SettingsReport) : null;
};

/** Any text, because a browser can send any. The pages of operators have reports of their own. */
export const takeReport = ({ locals, request }: RequestEvent): string | null => {
	const report = locals.ownCookies.get('report');
	// A response to HEAD shows nothing, so the report stays for the page.
	if (report === null || request.method === 'HEAD') return null;
	locals.ownCookies.delete('report');
	return report;
};

/** For the next page of this browser. A cookie, so that no link can make the page show it. */
export const setReport = ({ locals }: RequestEvent, report: string): void =>
	locals.ownCookies.set('report', report, MINUTE);
