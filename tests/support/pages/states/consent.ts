import { messages } from '#lib/messages/messages.ts';
import { openDatabase } from '../../http/database.ts';
import { unsubscribeTokenOf } from '../../http/unsubscribe-link.ts';
import type { PageState, Visit } from '../visit.ts';

const { consentSettings: settings, unsubscribe } = messages;

const press = ({ page }: Visit, name: string): Promise<void> =>
	page.getByRole('button', { name, exact: true }).click();

/** Agrees in the settings. */
const agree = async (visit: Visit): Promise<void> => {
	await visit.arrive();
	await visit.open('/settings');
	await press(visit, settings.agree);
	await visit.see(settings.agreed);
};

/** Opens the link of an email, as somebody who agreed and is signed out. */
const openLink = async (visit: Visit): Promise<void> => {
	await agree(visit);
	const database = openDatabase(visit.server.databaseUrl);
	const token = await unsubscribeTokenOf(database, visit.address);
	await database.close();
	await visit.page.context().clearCookies();
	await visit.open(`/unsubscribe/${token}`);
	await visit.see(unsubscribe.lede('Postern'));
};

/** Giving and withdrawing consent. */
export const consentPages: readonly PageState[] = [
	{ name: 'settings-agreed', alike: true, reach: agree },
	{ name: 'unsubscribe', reach: openLink },
	{
		name: 'unsubscribe-done',
		alike: true,
		reach: async (visit) => {
			await openLink(visit);
			await press(visit, unsubscribe.submit);
			await visit.see(unsubscribe.doneTitle);
		}
	},
	{
		name: 'unsubscribe-unknown',
		alike: true,
		reach: async (visit) => {
			await visit.open('/unsubscribe/an-incomplete-link');
			await visit.see(unsubscribe.unknown);
		}
	}
];
