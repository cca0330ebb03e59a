import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import {
	aSignedInSite,
	demandOf,
	newAddress,
	requestCode,
	SEND
} from '../../support/web/sign-in.ts';

const TEN = { EMAIL_BUDGET: '10' };
const TWENTY_TO = new Date('2026-01-02T15:40:00.000Z');
const { overBudget } = messages.errors;

describe('EMAIL_BUDGET=10', () => {
	test('over the budget, a page answers 503 and counts down to the next hour', async () => {
		const { site, visitor: known, email } = await aSignedInSite(TEN);
		known.setCookie('postern_session', null);
		site.clock.set(TWENTY_TO);
		for (let sent = 0; sent < 8; sent += 1) {
			await site.visitor().call(SEND, { json: { email: newAddress() } });
		}
		const unknown = await requestCode(site.visitor(), newAddress());
		await known.open('/auth/sign-in');
		await requestCode(known, email);
		site.clock.advance(31);
		await requestCode(known, email);
		site.clock.advance(31);
		const last = await requestCode(known, email);
		for (const [refused, seconds] of [
			[unknown, 1200],
			[last, 1138]
		] as const) {
			expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, String(seconds)]);
			expect(refused.form).toMatchObject({
				form: { errors: { _errors: [overBudget] } }
			});
			expect(demandOf(refused)?.wait).toEqual({
				seconds,
				reason: overBudget,
				endsOnEdit: true
			});
		}
	});
});
