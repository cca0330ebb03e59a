import { messages } from '#lib/messages/messages.ts';
import { signInOn } from '../other-devices.ts';
import type { PageState, Visit } from '../visit.ts';

const { newDevice, undoEmailChange } = messages;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

const WITH_KEY = { 'x-postern-client': 'k'.repeat(43) };

/** Opens the link of a notice, as an owner who is signed out. */
const openLink = async (
	visit: Visit,
	program = FIREFOX,
	headers: Readonly<Record<string, string>> = WITH_KEY
): Promise<void> => {
	const { address, arrive, mail, page, passTime } = visit;
	await arrive();
	await passTime(8 * 60);
	await signInOn(visit, [program], headers);
	const link = await mail.mailFor('new-device notice', address);
	await page.context().clearCookies();
	await visit.open(new URL(link).pathname);
	await visit.see(newDevice.mine);
};

const signOut = ({ page }: Visit): Promise<void> =>
	page.getByRole('main').getByRole('button').click();

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
	{ name: 'new-device', reach: (visit) => openLink(visit) },
	{
		name: 'new-device-done',
		alike: true,
		reach: async (visit) => {
			await openLink(visit);
			await signOut(visit);
			await visit.see(newDevice.next);
		}
	},
	{
		name: 'new-device-unknown',
		alike: true,
		reach: async (visit) => {
			await visit.open('/auth/new-device/an-incomplete-link');
			await visit.see(newDevice.unknown);
		}
	},
	{ name: 'undo-email-change', reach: undoPage },
	{
		name: 'undo-email-change-unknown',
		alike: true,
		reach: async (visit) => {
			await visit.open('/auth/undo-email-change/an-incomplete-link');
			await visit.see(undoEmailChange.unknown);
		}
	}
];
