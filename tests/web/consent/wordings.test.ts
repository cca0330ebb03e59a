import { expect, test } from 'vitest';
import {
	consentWordings,
	unsubscribeWording,
	wordingOf
} from '#lib/adapters/web/consent/occasion.ts';

/**
 * Every wording with its version. The history of consents shows what people read, so a changed text
 * needs a new version: change both in `messages/en/consent.ts`, then the line here.
 */
const PAIRS = {
	'sign-up-2': 'Email me news and offers (optional)',
	'settings-agree-2': 'You don’t get news and offers by email. Turn on.',
	'settings-withdraw-3': 'You get news and offers by email. Turn off.',
	'unsubscribe-3':
		'Turn off news and offers? Acme will stop emailing you news and offers. You’ll still get emails about your account. Turn off.'
};

test('each text has its version, and a changed text has a new one', () => {
	const all = [...Object.values(consentWordings), unsubscribeWording('Acme')];
	expect(Object.fromEntries(all.map(({ version, text }) => [version, text]))).toEqual(PAIRS);
});

test('a call can name what a person reads before consenting, and nothing else', () => {
	expect(wordingOf('sign-up-2')).toBe(consentWordings.signUp);
	expect(wordingOf('settings-agree-2')).toBe(consentWordings.agree);
	expect(wordingOf('settings-withdraw-3')).toBeNull();
	expect(wordingOf('unsubscribe-3')).toBeNull();
});
