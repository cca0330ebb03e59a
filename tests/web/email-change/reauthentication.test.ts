import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { wrong } from '../../support/domain/fixture.ts';
import { aSignedInSite, newAddress } from '../../support/web/sign-in.ts';
import type { Site } from '../../support/web/site.ts';
import type { Answer } from '../../support/web/visitor.ts';

const BY_CODE = '/api/auth/email-otp/request-email-change';
const BY_LINK = '/api/auth/change-email';
const REPROOF = { EMAIL_CHANGE_REPROOF: 'on' };

const outcomeOf = (answer: Answer): readonly unknown[] => [
	answer.status,
	(answer.json() as { code?: string }).code ?? answer.json()
];
const kindsTo = async (site: Site, email: string): Promise<readonly string[]> =>
	(await site.mailsTo(email)).map(({ kind }) => kind);

describe('K10 with EMAIL_CHANGE_REPROOF=on, a session that signed in more than 15 minutes ago', () => {
	test.each([
		['code', BY_CODE],
		['link', BY_LINK]
	])('by %s: it first needs the code from the current address', async (way, path) => {
		const { site, visitor, email } = await aSignedInSite(REPROOF);
		const newEmail = newAddress('new');
		site.clock.advance(15 * 60 + 1);
		const first = await visitor.api(path, { json: { newEmail } });
		expect(outcomeOf(first)).toEqual([403, 'SESSION_NOT_FRESH']);
		expect(await kindsTo(site, newEmail)).toEqual([]);
		expect((await site.mailsTo(email)).at(-1)).toMatchObject({
			kind: 'reauthentication_code',
			newEmail
		});
		const otp = await site.codeFor(email);
		const refused = await visitor.api(path, { json: { newEmail, otp: wrong(otp) } });
		expect(outcomeOf(refused)).toEqual([400, 'INVALID_OTP']);
		const other = await visitor.api(path, { json: { newEmail: newAddress('other'), otp } });
		expect(other.status).not.toBe(200);
		expect(await kindsTo(site, newEmail)).toEqual([]);
		expect((await visitor.api(path, { json: { newEmail, otp } })).status).toBe(200);
		expect(await kindsTo(site, newEmail)).toEqual([`email_change_${way}`]);
	});

	test('without JavaScript: the form requests the code, keeps the new address and continues', async () => {
		const { site, visitor, email } = await aSignedInSite(REPROOF);
		const to = newAddress('new');
		site.clock.advance(15 * 60 + 1);
		expect((await visitor.open('/settings')).data['email']).toMatchObject({
			reauthentication: true
		});
		const response = await visitor.post('/settings?/requestEmailChange', { email: to });
		expect(response.status).toBe(403);
		expect(response.form).toMatchObject({
			form: { data: { email: to }, message: messages.code.states.sent.text }
		});
		const early = await site.codeFor(email);
		// This button sends another code, whatever is in the field.
		const again = await visitor.post('/settings?/resendEmailChange', { email: to, code: early });
		expect([again.status, (again.form as { form: { data: object } }).form.data]).toEqual([
			403,
			{ email: to, code: '' }
		]);
		const code = await site.codeFor(email);
		const no = await visitor.post('/settings?/requestEmailChange', {
			email: to,
			code: wrong(code)
		});
		expect(no.status).toBe(400);
		expect(no.form).toMatchObject({ form: { errors: { code: [expect.any(String)] } } });
		const done = await visitor.post('/settings?/requestEmailChange', { email: to, code });
		expect([done.status, done.location]).toEqual([303, '/settings#email']);
		expect(await kindsTo(site, to)).toEqual(['email_change_link']);
	});
});
