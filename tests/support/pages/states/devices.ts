import { messages } from '#lib/messages/messages.ts';
import { FIREFOX, signInAndOut, signInOn } from '../other-devices.ts';
import { opened, state, type PageState, type Visit } from '../visit.ts';

const { newDevice, undoEmailChange } = messages;

/** Opens the link of a notice, as an owner who is signed out. */
const openLink = async (visit: Visit, isSignedOut = false): Promise<void> => {
	const { address, arrive, mail, page, passTime } = visit;
	await arrive();
	await passTime(8 * 60);
	await (isSignedOut
		? signInAndOut(visit)
		: signInOn(visit, [FIREFOX], { 'x-postern-client': 'k'.repeat(43) }));
	const link = await mail.mailFor('new-device notice', address);
	await page.context().clearCookies();
	await visit.open(new URL(link).pathname);
	await visit.see(isSignedOut ? messages.sessions.removal : newDevice.mine);
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
	await visit.see(undoEmailChange.effect);
};

/** The links of notices: about a new device, and about an email change. */
export const devicePages: readonly PageState[] = [
	state('new-device', {}, (visit) => openLink(visit)),
	state('new-device-signed-out', { alike: true }, (visit) => openLink(visit, true)),
	state('new-device-done', { alike: true }, async (visit) => {
		await openLink(visit);
		await visit.page.getByRole('main').getByRole('button').click();
		await visit.see(newDevice.doneTitle);
	}),
	opened('new-device-unknown', '/auth/new-device/an-incomplete-link', newDevice.unknown, {
		alike: true
	}),
	state('undo-email-change', {}, undoPage),
	opened(
		'undo-email-change-unknown',
		'/auth/undo-email-change/an-incomplete-link',
		undoEmailChange.unknown,
		{ alike: true }
	)
];
