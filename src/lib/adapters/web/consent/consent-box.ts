import type { RequestEvent } from '@sveltejs/kit';
import { withConsentMark } from '#lib/consent-mark.ts';
import type { ConsentChoice } from '#lib/domain/consent/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { signInLayouts, type SignInPage } from '#lib/sign-in-layouts.ts';
import { logFault } from '../http/faults.ts';
import { isScripted } from '../http/request-headers.ts';
import { callOccasion, pageOccasion, consentWordings } from './occasion.ts';
import { PENDING_CONSENT_LIFETIME_S, type PendingConsent } from './pending-consent.ts';

/** How consent reaches the server, by page. */
const CONSENT_CARRIER = { 'sign-in': null, 'sign-up': 'own-call', login: 'with-code' } as const;

/** The box that asks for consent to marketing on a sign-in page, for one email address. */
interface ConsentBox {
	readonly email: string;
	readonly page: SignInPage;
	/** Null on a page without the box. */
	readonly text: string | null;
	readonly pending: PendingConsent | null;
	/** With JavaScript, the page itself knows whether it is ticked. */
	readonly isTicked: boolean;
}

/** Deletes the cookie of a tick for another email address or page. */
export const openConsentBox = (
	event: RequestEvent,
	email: string,
	page: SignInPage
): ConsentBox => {
	const { app, ownCookies } = event.locals;
	const value = ownCookies.get('consent');
	const owner = { email, page, codeKey: ownCookies.get('codeKey') };
	const pending = value === null ? null : app.pendingConsents.read(value, owner);
	if (pending === null) discardConsent(event);
	const text = CONSENT_CARRIER[page] && consentWordings.signUp.text;
	return { email, page, text, pending, isTicked: pending?.grantedBy === 'server' };
};

/**
 * Reads the box of an email form. A box that the person ticked posts `on`. A box that the server
 * rendered as ticked posts the id of its consent, which counts only while this consent is pending.
 */
export const readPostedTick = (event: RequestEvent, box: ConsentBox, fields: FormData): boolean => {
	const tick = fields.get('consent');
	const ticked = tick !== null && (tick === 'on' || tick === box.pending?.id);
	if (!ticked && box.isTicked) discardConsent(event);
	return ticked;
};

/** Replaces any earlier tick. */
export const keepTick = (event: RequestEvent, { email, page }: ConsentBox, ticked: boolean) => {
	const { app, ownCookies } = event.locals;
	if (CONSENT_CARRIER[page] === null || !(ticked || isForScript(event, page))) return;
	const owner = { email, page, codeKey: ownCookies.get('codeKey') };
	const issued = app.pendingConsents.issue(ticked ? 'server' : 'page', owner);
	if (issued !== null) ownCookies.set('consent', issued, PENDING_CONSENT_LIFETIME_S);
};

export const consentWithCode = (event: RequestEvent, { isTicked }: ConsentBox): ConsentChoice => ({
	marketing: isTicked && isWithCode(event) ? pageOccasion(event, consentWordings.signUp) : null
});

/** Call after the person signed in. Best effort: they can give the consent again later. */
export const consentAfterSignIn = async (
	event: RequestEvent,
	{ isTicked }: ConsentBox,
	userId: UserId
): Promise<void> => {
	if (!isTicked || isWithCode(event)) return;
	try {
		const occasion = pageOccasion(event, consentWordings.signUp);
		await event.locals.app.grantConsent(userId, occasion);
	} catch (error) {
		logFault(event, error);
	}
};

/** The redirect target after the sign-in, with what the page needs to make its own call. */
export const withConsentId = (event: RequestEvent, box: ConsentBox, target: string): string => {
	if (!isForScript(event, box.page)) return target;
	return withConsentMark(target, box.pending?.grantedBy === 'page' ? box.pending.id : '');
};

const isForScript = (event: RequestEvent, page: SignInPage): boolean =>
	CONSENT_CARRIER[page] === 'own-call' && isScripted(event);

/** With two sign-in pages, consent is a separate call after signing in. */
const isWithCode = ({ locals }: RequestEvent): boolean =>
	signInLayouts[locals.app.config.signInLayout].consentWithCode;

/** For a sign-in over the API, whose body can contain the consent. */
export const consentOfCall = (event: RequestEvent, body: object): ConsentChoice => {
	const agreed = 'marketingOptIn' in body && body.marketingOptIn === true;
	return { marketing: isWithCode(event) && agreed ? callOccasion(event, null) : null };
};

/** Forgets a tick: the person signed in or out, or uses a page without the box. */
export const discardConsent = ({ locals: { ownCookies } }: RequestEvent): void => {
	if (ownCookies.get('consent') !== null) ownCookies.delete('consent');
};
