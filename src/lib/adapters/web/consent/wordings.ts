import type { ConsentWording } from '#lib/domain/consent/ports.ts';
import { messages } from '#lib/messages/messages.ts';

const { consent, consentSettings: settings, unsubscribe } = messages;

/**
 * What people read on our pages when they decide about news and offers. Each decision is stored with
 * the text and its version. Give a changed text a new version: `tests/web/consent/wordings.test.ts`
 * has every pair.
 */
export const consentWordings = {
	signUp: { version: consent.version, text: consent.label },
	agree: {
		version: settings.agreeVersion,
		text: `${settings.title}. ${settings.lede} ${settings.agree}.`
	},
	withdraw: { version: settings.withdrawVersion, text: `${settings.withdraw}.` }
} as const satisfies Readonly<Record<string, ConsentWording>>;

/** On the page of an unsubscribe link, which names the site. */
export const unsubscribeWording = (siteName: string): ConsentWording => ({
	version: unsubscribe.version,
	text: `${unsubscribe.title} ${unsubscribe.lede(siteName)} ${unsubscribe.submit}.`
});

/** The wordings that a call can name, because a person can read them before it. */
export const wordingOf = (version: string): ConsentWording | null =>
	[consentWordings.signUp, consentWordings.agree].find((one) => one.version === version) ?? null;
