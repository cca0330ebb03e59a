import { describe, expect, it } from 'vitest';
import { likelyEmail } from '#lib/domain/sign-in/likely-email.ts';

const of = (domain: string): string | null => likelyEmail(`ada.b@${domain}`);

describe('the address that a user probably meant', () => {
	it.each([
		['gmial.com', 'gmail.com'],
		['gmail.con', 'gmail.com'],
		['gmaill.com', 'gmail.com'],
		['hotmial.com', 'hotmail.com'],
		['outlok.com', 'outlook.com'],
		['yaho.com', 'yahoo.com'],
		['icoud.com', 'icloud.com'],
		['protonmial.com', 'protonmail.com']
	])('%s is one typing error away from %s', (typed, meant) => {
		expect(of(typed)).toBe(`ada.b@${meant}`);
	});

	it.each([
		'gmail.com',
		'outlook.com',
		'mail.com',
		'email.com',
		'ymail.com',
		'mailbox.org',
		'gmail.de',
		'gmx.de',
		'web.de',
		'we.de',
		'example.com',
		'g.com',
		'gmialcom.de',
		'hotmail.co',
		'hotmail.co.uk',
		'mx.gmail.com',
		'xgmialx.com'
	])('%s has no suggestion', (typed) => {
		expect(of(typed)).toBeNull();
	});
});
