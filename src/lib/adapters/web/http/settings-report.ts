import type { RequestEvent } from '@sveltejs/kit';
import { SECTIONS, setFlash, takeFlash } from './flash.ts';

export type SettingsReport = keyof typeof SECTIONS;

/** The settings page after an action, at the section that reports it. */
export const settingsAfter = (event: RequestEvent, report: SettingsReport, query = ''): string => {
	setFlash(event, report);
	return `/settings${query}#${SECTIONS[report]}`;
};

/** What this browser's last action did, once. */
export const takeSettingsReport = (event: RequestEvent): SettingsReport | null =>
	takeFlash(event, Object.keys(SECTIONS) as SettingsReport[]);
