import type { RequestEvent } from '@sveltejs/kit';
import { setFlash, takeFlash } from './flash.ts';

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

/** The settings page after an action, at the section that reports it. */
export const settingsAfter = (event: RequestEvent, report: SettingsReport, query = ''): string => {
	setFlash(event, report);
	return `/settings${query}#${SECTIONS[report]}`;
};

/** What this browser's last action did, once. */
export const takeSettingsReport = (event: RequestEvent): SettingsReport | null =>
	takeFlash(event, Object.keys(SECTIONS) as SettingsReport[]);
