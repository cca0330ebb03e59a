import { describe, expect, test } from 'vitest';
import type { DomainError } from '#lib/domain/errors.ts';
import type { RestoreToken } from '#lib/domain/secret.ts';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import { messages } from '#lib/messages/messages.ts';
import { formOutcome } from '#lib/adapters/web/http/form-error.ts';
import { jsonOutcome, outcomeOf, outcomes } from '#lib/adapters/web/http/outcome.ts';

const errors: readonly DomainError[] = [
	{ code: 'invalid_email' },
	{ code: 'too_many_sends', retryAfter: 61, isKnown: false },
	{ code: 'too_many_sends', retryAfter: 61, isKnown: true },
	{ code: 'too_many_network_sends', retryAfter: 61 },
	{ code: 'too_many_wrong_codes', retryAfter: 61 },
	{ code: 'proof_required' },
	{ code: 'over_budget', retryAfter: 61 },
	{ code: 'delivery_failed' },
	{ code: 'address_refused' },
	{ code: 'mail_busy', retryAfter: 10 },
	{ code: 'invalid_code', attemptsLeft: null },
	{ code: 'invalid_code', attemptsLeft: 0 },
	{ code: 'invalid_code', attemptsLeft: 1 },
	{ code: 'invalid_code', attemptsLeft: 3 },
	{ code: 'expired_code' },
	{ code: 'too_many_attempts' },
	{ code: 'same_email' },
	{ code: 'email_taken' },
	{ code: 'invalid_change_link' },
	{ code: 'session_not_fresh' },
	{ code: 'links_off' },
	{ code: 'account_deleted', purgeAt: new Date('2026-03-01T12:00:00.000Z'), restoreToken: null },
	{ code: 'account_blocked' },
	{ code: 'invalid_restore_grant' },
	{ code: 'too_many_consents', retryAfter: 40 },
	{ code: 'unknown_unsubscribe_link' },
	{ code: 'unknown_new_device_link' },
	{ code: 'invalid_undo_link' },
	{
		code: 'address_reserved',
		undoUntil: new Date('2026-03-01T12:00:00.000Z'),
		undoToken: 'id.signature' as UndoToken
	}
];

describe('the outcome table', () => {
	test('this test covers every domain error', () => {
		expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(Object.keys(outcomes)));
	});

	test.each(errors)(
		'$code has a message for people and a wire code for programs',
		async (error) => {
			const { text, status } = outcomeOf(error);
			expect(text).toMatch(/^[A-Z].+\.$/);
			const response = jsonOutcome(error);
			expect(response.status).toBe(status);
			expect(await response.json()).toMatchObject({
				message: expect.stringMatching(/\S/),
				code: expect.stringMatching(/^[A-Z_]+$/)
			});
		}
	);

	test('the purge date of a deleted account is in the answer, the restore token is not', async () => {
		const purgeAt = new Date('2026-03-01T12:00:00.000Z');
		const restoreToken = 'a restore token' as RestoreToken;
		const response = jsonOutcome({ code: 'account_deleted', purgeAt, restoreToken });
		expect(await response.json()).toEqual({
			message: 'Account is scheduled for deletion',
			code: 'ACCOUNT_DELETED',
			purgeAt: '2026-03-01T12:00:00.000Z'
		});
	});

	test('a reserved address names the page that gives it back, and until when', async () => {
		const undoUntil = new Date('2026-03-01T12:00:00.000Z');
		const undoToken = 'id.signature' as UndoToken;
		const answer = jsonOutcome({ code: 'address_reserved', undoUntil, undoToken });
		expect([answer.status, await answer.json()]).toEqual([
			403,
			{
				message: expect.stringContaining('undoPath') as string,
				code: 'ADDRESS_RESERVED',
				undoPath: '/auth/undo-email-change/id.signature',
				undoUntil: '2026-03-01T12:00:00.000Z'
			}
		]);
	});

	test('other answers have only message and code', async () => {
		const withMore = ['account_deleted', 'address_reserved'];
		for (const error of errors.filter(({ code }) => !withMore.includes(code))) {
			expect(Object.keys((await jsonOutcome(error).json()) as object)).toEqual(['message', 'code']);
		}
	});

	test('a wait is in both headers, in whole seconds', () => {
		const error = { code: 'too_many_sends', retryAfter: 61, isKnown: true } as const;
		const response = jsonOutcome(error);
		expect(response.headers.get('retry-after')).toBe('61');
		expect(response.headers.get('x-retry-after')).toBe('61');
	});

	test('a form counts the seconds of every wait', () => {
		const form = { data: {}, errors: {}, valid: true, posted: true, id: 'email' };
		const setHeaders = (): void => undefined;
		const refused = formOutcome({ setHeaders }, form, { code: 'mail_busy', retryAfter: 10 });
		const wait = { seconds: 10, reason: messages.errors.deliveryFailed, endsOnEdit: true };
		expect(refused.data.form.message).toEqual({ puzzle: null, wait });
	});

	test.each([
		[{ code: 'too_many_sends', retryAfter: 61, isKnown: false }, true],
		[{ code: 'too_many_sends', retryAfter: 61, isKnown: true }, false],
		[{ code: 'over_budget', retryAfter: 61 }, false]
	] as const)('%j tells only unknown clients that known ones continue: %s', (error, tells) => {
		const { text } = outcomeOf(error);
		expect(text.includes('where you’ve signed in before')).toBe(tells);
	});
});
