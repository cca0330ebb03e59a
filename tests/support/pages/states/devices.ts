import { messages } from '#lib/messages/messages.ts';
import { signInOn } from '../other-devices.ts';
import type { PageState, Visit } from '../visit.ts';

const { newDevice, undoEmailChange } = messages;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

/** Opens the link of a notice, as an owner who is signed out. */
const openLink = async (visit: Visit): Promise<string> => {
	const { address, arrive, mail, page, passTime } = visit;
	await arrive();
	await passTime(8 * 60);
	await signInOn(visit, [FIREFOX], { 'x-postern-client': 'k'.repeat(43) });
	const link = await mail.mailFor('new-device notice', address);
	await page.context().clearCookies();
	const { pathname } = new URL(link);
	await visit.open(pathname);
	await visit.see(newDevice.lede);
	return pathname;
};

const signOutDevice = async (visit: Visit): Promise<string> => {
	const path = await openLink(visit);
	await visit.page.getByRole('button', { name: newDevice.submit, exact: true }).click();
	await visit.see(newDevice.doneTitle);
	return path;
};

/** Signs in with a code for an email address that an account has just left. */
const undoPage = async (visit: Visit): Promise<void> => {
	const { address, arrive, call, freshAddress, mail, page, requestCode } = visit;
	await arrive();
	const newEmail = freshAddress();
	await call('email-otp/request-email-change', { newEmail });
	await call('email-otp/change-email', { newEmail, otp: await mail.changeCodeFor(newEmail) });
	await page.context().clearCookies();
	const otp = await requestCode(address);
	await visit.open('/auth/sign-in');
	await visit.on.enterCode(otp);
	await visit.see(undoEmailChange.lede);
};

/** The links of notices: about a new device, and about an email change. */
export const devicePages: readonly PageState[] = [
	{ name: 'new-device', reach: async (visit) => void (await openLink(visit)) },
	{ name: 'new-device-done', reach: async (visit) => void (await signOutDevice(visit)) },
	{
		name: 'new-device-ended',
		pictureOnly: true,
		reach: async (visit) => {
			await visit.open(await signOutDevice(visit));
			await visit.see(newDevice.endedTitle);
		}
	},
	{
		name: 'new-device-unknown',
		reach: async (visit) => {
			await visit.open('/auth/new-device/an-incomplete-link');
			await visit.see(newDevice.unknown);
		}
	},
	{ name: 'undo-email-change', reach: undoPage },
	{
		name: 'undo-email-change-unknown',
		reach: async (visit) => {
			await visit.open('/auth/undo-email-change/an-incomplete-link');
			await visit.see(undoEmailChange.unknown);
		}
	}
];
