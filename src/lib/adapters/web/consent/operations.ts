import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { respondsSuccess, takes, type Operation } from '../api/operation.ts';
import { exampleToken, secret } from '../api/fields.ts';

const { consent } = defaultPolicy;

/** The one-click request of RFC 8058. Its only field is the value of the email's header. */
const oneClickBody = z.object({
	'List-Unsubscribe': z.literal('One-Click').describe('Always `One-Click`.')
});

export const grantConsent = {
	method: 'POST',
	path: '/api/marketing-consent',
	summary: 'Consent to marketing',
	description: `The call itself is the consent. Repeating it changes nothing. It is recorded with its time and the email address. After ${consent.grants} consents in a day, a further one is refused with TOO_MANY_REQUESTS.`,
	session: 'required',
	query: z.object({
		wording: z
			.string()
			.optional()
			.describe(
				'The version of the text that the person read, if it is one of this site. It is recorded with the consent.'
			)
	}),
	response: respondsSuccess('The consent is recorded.'),
	errors: ['unknown_wording', 'too_many_consents']
} as const satisfies Operation;

export const withdrawConsent = {
	method: 'DELETE',
	path: '/api/marketing-consent',
	summary: 'Withdraw the consent to marketing',
	description:
		'The withdrawal is recorded with its time and the email address. Without a consent, nothing changes.',
	session: 'required',
	response: respondsSuccess('The consent is withdrawn.')
} as const satisfies Operation;

const params = z.object({
	token: secret.meta({
		description: 'From an unsubscribe link, which the application puts into its emails.',
		examples: [exampleToken]
	})
});

export const openUnsubscribeLink = {
	method: 'GET',
	path: '/api/unsubscribe/[token]',
	summary: 'Open an unsubscribe link',
	description:
		'For email apps that open the link of the `List-Unsubscribe` header in a browser. Redirects to the page that asks the person. The call itself changes nothing and reveals nothing about the link.',
	session: 'unused',
	urlHoldsToken: true,
	params,
	response: {
		description: 'A redirect to the page that asks the person.',
		headers: { Location: z.string().describe('The page.') }
	}
} as const satisfies Operation;

export const unsubscribe = {
	method: 'POST',
	path: '/api/unsubscribe/[token]',
	summary: 'Withdraw the consent with an unsubscribe link',
	description:
		'The one-click request of RFC 8058, which email apps send. It needs no session, cookie or `Origin`. Repeating it changes nothing.',
	session: 'unused',
	urlHoldsToken: true,
	params,
	body: { ...takes(oneClickBody, { 'List-Unsubscribe': 'One-Click' }), isForm: true },
	response: respondsSuccess('The consent is withdrawn.'),
	errors: ['unknown_unsubscribe_link']
} as const satisfies Operation;

export const consentOperations = {
	grantMarketingConsent: grantConsent,
	withdrawMarketingConsent: withdrawConsent,
	openUnsubscribeLink,
	unsubscribe
};
