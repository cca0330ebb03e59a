import type { RequestEvent } from '@sveltejs/kit';
import { withConsentMark } from '#lib/consent-mark.ts';
import type { ConsentChoice } from '#lib/domain/consent/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { signInLayouts, type SignInPage } from '#lib/sign-in-layouts.ts';
import { logFault } from '../http/faults.ts';
import { isScripted } from '../http/request-headers.ts';
import { callOccasion, pageOccasion, consentWordings } from './occasion.ts';
import { PENDING_CONSENT_LIFETIME_S, type PendingConsent } from './pending-consent.ts';

/** When the server or script stores the consent of a ticked box. Null: the page has no box. */
const grantTime = { 'sign-in': null, 'sign-up': 'after-sign-in', login: 'with-code' } as const;

/** The box that asks for consent to marketing on a sign-in page, for one email address. */
interface ConsentBox {
	readonly email: string;
	readonly page: SignInPage;
	/** Null on a page without the box. */
	readonly text: string | null;
	/** Null if no cookie holds one for this email address and page. */
	readonly pending: PendingConsent | null;
	/** Whether the server knows that it is ticked. On the sign-up page, a script may know instead. */
	readonly isTicked: boolean;
}

/**
 * Reads the pending consent from its cookie. Deletes the cookie if it has expired or is for another
 * email address or page.
 */
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
	const text = grantTime[page] && consentWordings.signUp.text;
	return { email, page, text, pending, isTicked: pending?.tickHeldBy === 'server' };
};

/**
 * Whether the box of a posted email form is ticked. A box that the person ticked posts `on`. A box that
 * the server rendered as ticked posts the id of its consent, which counts while this one is pending.
 */
export const readPostedTick = (event: RequestEvent, box: ConsentBox, fields: FormData): boolean => {
	const tick = fields.get('consent');
	const ticked = tick !== null && (tick === 'on' || tick === box.pending?.id);
	if (!ticked && box.isTicked) discardConsent(event);
	return ticked;
};

/**
 * Stores a pending consent in its cookie, in place of an earlier one. A page whose script grants the
 * consent needs the cookie also without a tick: only the script knows whether the box is ticked.
 */
export const storePendingConsent = (
	event: RequestEvent,
	{ email, page }: ConsentBox,
	ticked: boolean
) => {
	const { app, ownCookies } = event.locals;
	if (grantTime[page] === null || !(ticked || isGrantedByScript(event, page))) return;
	const owner = { email, page, codeKey: ownCookies.get('codeKey') };
	const issued = app.pendingConsents.issue(ticked ? 'server' : 'page', owner);
	if (issued !== null) ownCookies.set('consent', issued, PENDING_CONSENT_LIFETIME_S);
};

/** The consent to grant together with the code. */
export const consentWithCode = (event: RequestEvent, { isTicked }: ConsentBox): ConsentChoice => ({
	marketing: isTicked && isWithCode(event) ? pageOccasion(event, consentWordings.signUp) : null
});

/** Grants the consent after the sign-in. An error is only logged: the person can consent later. */
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

/**
 * The redirect target after the sign-in. For a page whose script grants the consent, its end names the
 * pending consent that the script may grant now.
 */
export const withConsentId = (event: RequestEvent, box: ConsentBox, target: string): string => {
	if (!isGrantedByScript(event, box.page)) return target;
	return withConsentMark(target, box.pending?.tickHeldBy === 'page' ? box.pending.id : '');
};

const isGrantedByScript = (event: RequestEvent, page: SignInPage): boolean =>
	grantTime[page] === 'after-sign-in' && isScripted(event);

const isWithCode = ({ locals }: RequestEvent): boolean =>
	signInLayouts[locals.app.config.signInLayout].consentWithCode;

/** The consent in the body of a sign-in over the API. */
export const consentOfCall = (
	event: RequestEvent,
	{ marketingOptIn }: { readonly marketingOptIn?: unknown }
): ConsentChoice => ({
	marketing: isWithCode(event) && marketingOptIn === true ? callOccasion(event, null) : null
});

/** Called when a person signs in or out, or uses a page without the box. */
export const discardConsent = ({ locals: { ownCookies } }: RequestEvent): void => {
	if (ownCookies.get('consent') !== null) ownCookies.delete('consent');
};
