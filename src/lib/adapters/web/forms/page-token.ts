import { newBrowserKey } from '#lib/domain/secret.ts';
import { FORM_NONCE_BYTES, formToken } from './csrf-token.ts';

/** A token for the forms of the page that is being made, tied to the browser by its key, which is renewed. */
export const pageToken = ({
	locals: { app, authCookies }
}: {
	readonly locals: Pick<App.Locals, 'app' | 'authCookies'>;
}): string => {
	const browser = authCookies.browserKey() ?? newBrowserKey(app.random);
	authCookies.setBrowserKey(browser);
	return formToken(browser, app.random.bytes(FORM_NONCE_BYTES), app.formSigner);
};
