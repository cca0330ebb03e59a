import { pageActions } from '#lib/adapters/web/page-rules.ts';
import {
	grantConsent,
	loadConsent,
	withdrawConsent
} from '#lib/adapters/web/consent/settings-section.ts';
import { loadDeletion, submitDeletion } from '#lib/adapters/web/account/deletion.ts';
import { takeSettingsReport } from '#lib/adapters/web/http/flash.ts';
import {
	cancelEmailChange,
	loadEmail,
	resendEmailChange,
	requestEmailChange
} from '#lib/adapters/web/email-change/settings-section.ts';
import { loadProfile, saveProfile } from '#lib/adapters/web/account/settings-section.ts';
import {
	endOtherSessions,
	endDevice,
	loadDevices
} from '#lib/adapters/web/sessions/settings-section.ts';
import { endApplication, loadApplications } from '#lib/adapters/web/oidc/settings-section.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
	const [profile, email, devices, applications, consent, deletion] = await Promise.all([
		loadProfile(event),
		loadEmail(event),
		loadDevices(event),
		loadApplications(event),
		loadConsent(event),
		loadDeletion(event)
	]);
	const report = takeSettingsReport(event);
	return { report, profile, email, devices, applications, consent, deletion };
};

export const actions = pageActions('/settings', {
	saveProfile,
	requestEmailChange,
	resendEmailChange,
	cancelEmailChange,
	endDevice,
	endOtherSessions,
	endApplication,
	grantConsent,
	withdrawConsent,
	deleteAccount: submitDeletion
});
