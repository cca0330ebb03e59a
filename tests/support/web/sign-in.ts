import { API, bearer, ME, newAddress, SEND, SESSION, VERIFY } from '../callers.ts';
import { aSite, type Site } from './site.ts';
import type { Answer, Visitor } from './visitor.ts';

export { bearer, ME, newAddress, SEND, SESSION, VERIFY };

/** What the script of a page adds to a form post. */
export const SCRIPT = { accept: 'application/json', 'x-sveltekit-action': 'true' };

/** Where a form of a page posts to. It keeps the query of the page. */
export const formAction = (path: string, action: string): string => {
	const [pathname = '', query] = path.split('?');
	return `${pathname}?/${action}${query === undefined ? '' : `&${query}`}`;
};

/** Requests a code on a sign-in page. */
export const requestCode = (
	visitor: Visitor,
	email: string,
	path = '/auth/sign-in',
	fields: Readonly<Record<string, string>> = {}
): Promise<Answer> => visitor.post(formAction(path, 'request'), { email, ...fields });

/** Enters the newest code of an email address on a sign-in page. */
export const enterCode = async (
	site: Site,
	visitor: Visitor,
	email: string,
	path = '/auth/sign-in'
): Promise<Answer> =>
	visitor.post(formAction(path, 'verify'), { email, code: await site.codeFor(email) });

/** Signs a visitor in on the pages. Fails if that fails. */
export const signIn = async (
	site: Site,
	email = newAddress(),
	visitor = site.visitor()
): Promise<{ readonly email: string; readonly visitor: Visitor; readonly token: string }> => {
	await requestCode(visitor, email);
	const done = await enterCode(site, visitor, email);
	const token = visitor.cookie(SESSION);
	if (done.status !== 303 || token === null) throw new Error(`not signed in: ${done.text}`);
	return { email, visitor, token };
};

/** A site, and somebody who is signed in on its pages. */
export const aSignedInSite = async (...options: Parameters<typeof aSite>) => {
	const site = await aSite(...options);
	return { site, ...(await signIn(site)) };
};

/** A site, and a visitor with a new email address. */
export const aVisitedSite = async (...options: Parameters<typeof aSite>) => {
	const site = await aSite(...options);
	return { site, visitor: site.visitor(), email: newAddress() };
};

/** Deletes a new account, and waits until its email address can get another code. */
export const aDeletedAccount = async (site: Site): Promise<string> => {
	const { email, visitor, token } = await signIn(site);
	await visitor.call(`${API}/delete-user`, { method: 'POST', headers: bearer(token) });
	site.clock.advance(31);
	return email;
};

/** The page of a new purchase. */
export const purchasePage = async (site: Site, email: string): Promise<string> => {
	const bought = await site.app.recordPurchase({ email, product: 'A book' });
	if (!bought.ok) throw new Error('no purchase');
	return `/checkout/success?reference=${bought.value.reference}`;
};

/** What a refused form needs before it can be sent again. Null if it says nothing about that. */
export const demandOf = ({ form }: Pick<Answer, 'form'>): App.FormDemand | null => {
	const { message } = (form as { form?: { message?: unknown } } | null)?.form ?? {};
	return typeof message === 'object' && message !== null ? (message as App.FormDemand) : null;
};

/** The email address of the account that a response of get-session shows. Null if it shows none. */
export const shownEmail = (answer: Answer): string | null =>
	(answer.json() as { user: { email: string } } | null)?.user.email ?? null;
