import { messages } from '#lib/messages/messages.ts';
import { unsubscribeTokenOf } from '../../http/unsubscribe-link.ts';
import { opened, state, type PageState, type Visit } from '../visit.ts';

const { consentSettings: settings, unsubscribe } = messages;

const press = ({ page }: Visit, name: string): Promise<void> =>
	page.getByRole('button', { name, exact: true }).click();

/** Agrees in the settings. */
const agree = async (visit: Visit): Promise<void> => {
	await visit.arrive();
	await visit.open('/settings');
	await press(visit, `${settings.agree} ${settings.title}`);
	await visit.see(messages.common.saved);
};

/** Opens the link of an email, as somebody who agreed and is signed out. */
const openLink = async (visit: Visit): Promise<void> => {
	await agree(visit);
	const token = await visit.inDatabase((database) => unsubscribeTokenOf(database, visit.address));
	await visit.page.context().clearCookies();
	await visit.open(`/unsubscribe/${token}`);
	await visit.see(unsubscribe.lede('Postern'));
};

/** Giving and withdrawing consent. */
export const consentPages: readonly PageState[] = [
	state('settings-agreed', { alike: true }, agree),
	state('unsubscribe', {}, openLink),
	state('unsubscribe-done', { alike: true }, async (visit) => {
		await openLink(visit);
		await press(visit, unsubscribe.submit);
		await visit.see(unsubscribe.doneTitle);
	}),
	opened('unsubscribe-unknown', '/unsubscribe/an-incomplete-link', unsubscribe.unknown, {
		alike: true
	})
];
