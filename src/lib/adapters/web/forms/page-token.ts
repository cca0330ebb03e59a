import { newBrowserKey } from '#lib/domain/secret.ts';
import { FORM_NONCE_BYTES, formToken } from './csrf-token.ts';

/**
 * Creates a token for the forms of the current page and binds it to the browser. Renews the
 * browser's key.
 */
export const pageToken = ({
	locals: { app, authCookies }
}: {
	readonly locals: Pick<App.Locals, 'app' | 'authCookies'>;
}): string => {
	const browser = authCookies.browserKey() ?? newBrowserKey(app.random);
	authCookies.setBrowserKey(browser);
	return formToken(browser, app.random.bytes(FORM_NONCE_BYTES), app.formSigner);
};
