import { createSecretKey, randomBytes } from 'node:crypto';
import { hmacSecretHasher } from '#lib/adapters/crypto/hmac.ts';
import type { UnsubscribeToken } from '#lib/domain/secret.ts';
import { messages } from '#lib/messages/messages.ts';
import type { Database } from '../../http/database.ts';
import { opened, state, type PageState, type Visit } from '../visit.ts';

const { consentSettings: settings, unsubscribe } = messages;

const press = ({ page }: Visit, name: string): Promise<void> =>
	page.getByRole('button', { name, exact: true }).click();

/** Agrees in the settings. */
const agree = async (visit: Visit): Promise<void> => {
	await visit.arrive();
	await visit.open('/settings');
	await press(visit, `${settings.agree} ${settings.title}`);
	await visit.see(settings.withdraw);
};

/**
 * The token of an unsubscribe link of an account. Only code inside the server can make a link, so
 * this stores the hash of a random token, as the server does. The hash needs no key.
 */
const unsubscribeTokenOf = async (
	{ rows }: Pick<Database, 'rows'>,
	email: string
): Promise<string> => {
	const token = randomBytes(32).toString('base64url');
	const anyKey = createSecretKey(randomBytes(32));
	const { ofUnsubscribeToken } = hmacSecretHasher([anyKey]);
	await rows(
		`insert into unsubscribe_link (token_hash, user_id, created_at)
			select '${ofUnsubscribeToken(token as UnsubscribeToken)}', id, created_at from "user"
			where email = '${email}'`
	);
	return token;
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
