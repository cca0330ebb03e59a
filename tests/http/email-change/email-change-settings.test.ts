import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { formsOf } from '../../support/http/browser.ts';
import {
	bearer,
	me,
	newAddress,
	signIn,
	whoIs,
	type Answer,
	type SignedIn,
	shown
} from '../../support/http/client.ts';
import {
	askByLink,
	browserOf,
	changeByCode,
	changeCode,
	changeLink,
	confirmLink,
	follow,
	formKey,
	heading,
	isThrottled,
	linkOutcome,
	pathOfLink,
	refusal,
	settled,
	CHANGED,
	REFUSED
} from '../../support/http/email-change.ts';
import { onOneServer, present, type Fixture } from '../../support/http/fixtures.ts';

const changedBy = async (
	fixture: Fixture,
	person: SignedIn,
	way: 'code' | 'link'
): Promise<string> => {
	const to = newAddress('new');
	if (way === 'code') {
		const code = await changeCode(fixture.server, person, to);
		const answer = await changeByCode(fixture.server, bearer(person.token), to, code);
		expect(answer.status).toBe(200);
		return to;
	}
	const link = await changeLink(fixture.server, person, to);
	const sent = await confirmLink(fixture.server, await formKey(fixture.server), person, link);
	expect(linkOutcome(sent)).toBe(CHANGED);
	return to;
};
const noticesTo = (server: { output(): string }, email: string): readonly string[] =>
	server
		.output()
		.split('\n')
		.filter((line) => line.startsWith(`[postern] email-change notice for ${email}: `))
		.map((line) => /: (\w+)/.exec(line)?.[1] ?? line);

describe.each([
	['after, the default', {}, { code: ['completed'], link: ['completed'] }],
	[
		'before,after',
		{ EMAIL_CHANGE_NOTICE: 'before,after' },
		{ code: ['completed'], link: ['requested', 'completed'] }
	],
	['before', { EMAIL_CHANGE_NOTICE: 'before' }, { code: [], link: ['requested'] }],
	['off', { EMAIL_CHANGE_NOTICE: 'off' }, { code: [], link: [] }]
] as const)('K11 notices: %s', (_, env: Record<string, string>, expected) => {
	onOneServer((fixture) => {
		test.each(['code', 'link'] as const)(
			'K11 a change by %s notifies the old address at these moments, once each, and no other address',
			async (way) => {
				const person = await signIn(fixture.server);
				const to = await changedBy(fixture, person, way);
				await settled(fixture.server);
				expect(noticesTo(fixture.server, person.email)).toEqual(expected[way]);
				expect(noticesTo(fixture.server, to)).toEqual([]);
				const lines = fixture.server.output().split('\n');
				const notices = lines.filter((line) =>
					line.includes(`email-change notice for ${person.email}`)
				);
				// The only link undoes the change.
				const rest = notices.map((line) => line.replace(/http\S+\/auth\/undo-email-change\/\S+/, ''));
				expect(rest.filter((line) => /https?:|\d{6}/.test(line))).toEqual([]);
			}
		);

		test('B05 notices do not count as sends: after many notices five codes can still be sent', async () => {
			const person = await signIn(fixture.server);
			await fixture.database.rows(`delete from auth_throttle where email = '${person.email}'`);
			for (let request = 0; request < 8; request += 1) {
				await changeLink(fixture.server, person, newAddress('new'));
			}
			await settled(fixture.server);
			const expectedNotices = expected.link.filter((stage) => stage === 'requested').length * 8;
			expect(noticesTo(fixture.server, person.email)).toHaveLength(expectedNotices);
			expect(await isThrottled(fixture.database, person.email)).toBe(false);
			for (let send = 0; send < 4; send += 1) await signIn(fixture.server, person.email);
		});
	}, env);
});

describe('with EMAIL_CHANGE_LINK=off', () => {
	onOneServer(
		(fixture) => {
			test('change-email returns VERIFICATION_EMAIL_NOT_ENABLED before any lookup', async () => {
				const person = await signIn(fixture.server);
				const taken = await signIn(fixture.server, newAddress('taken'));
				await fixture.database.rows('delete from auth_throttle');
				const before = await fixture.database.dump();
				const answers: Answer[] = [];
				for (const email of [newAddress('free'), taken.email, person.email, 'nobody', '', 'a@@b']) {
					for (let count = 0; count < 6; count += 1) {
						answers.push(await askByLink(fixture.server, bearer(person.token), email, '/app'));
					}
				}
				for (const answer of answers) {
					expect([answer.status, answer.json()]).toEqual([
						400,
						{
							message: "Verification email isn't enabled",
							code: 'VERIFICATION_EMAIL_NOT_ENABLED'
						}
					]);
					expect(shown(answer)).toEqual(shown(present(answers[0])));
				}
				expect(await fixture.database.dump()).toEqual(before);
				// The earlier checks run in the same order.
				expect(refusal(await askByLink(fixture.server, {}, taken.email))).toEqual([
					401,
					'UNAUTHORIZED'
				]);
				expect(refusal(await askByLink(fixture.server, bearer(person.token), 5))).toEqual([
					400,
					'VALIDATION_ERROR'
				]);
				expect(
					refusal(await askByLink(fixture.server, bearer(person.token), taken.email, '//evil'))
				).toEqual([403, 'INVALID_CALLBACK_URL']);
			});

			test('the settings offer no form, and a posted one sends nothing', async () => {
				const person = await signIn(fixture.server);
				const browser = browserOf(fixture.server, person);
				const page = await browser.open('/settings');
				const actions = formsOf(page.text, '/settings').map(({ action }) => action);
				expect(actions.filter((action) => action.includes('request'))).toEqual([]);
				const to = newAddress('new');
				const sent = await browser.post('/settings?/request', {
					email: to,
					__superform_id: 'new-email'
				});
				expect(sent.status).toBe(400);
				expect(await isThrottled(fixture.database, to)).toBe(false);
			});

			test('K18 by code the address is changed as before: with the code only', async () => {
				const person = await signIn(fixture.server);
				const to = newAddress('new');
				const code = await changeCode(fixture.server, person, to);
				expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
				expect((await changeByCode(fixture.server, bearer(person.token), to, code)).status).toBe(
					200
				);
			});
		},
		{ EMAIL_CHANGE_LINK: 'off', EMAIL_CHANGE_NOTICE: 'before,after' }
	);
});

describe('K18 no other setting skips a step', () => {
	onOneServer(
		(fixture) => {
			test.each(['code', 'link'] as const)(
				'K18 by %s: a change needs proof at the new address and the session that requested it',
				async (way) => {
					// The API cannot create accounts here, so the test inserts them.
					const seed = async (): Promise<SignedIn> => {
						const email = newAddress('seeded');
						const id = crypto.randomUUID();
						const at = Date.now();
						await fixture.database.rows(
							`insert into "user" (id, email, email_verified, name, created_at, updated_at)
							values ('${id}', '${email}', 1, '', ${at}, ${at})`
						);
						return signIn(fixture.server, email);
					};
					const [person, other] = [await seed(), await seed()];
					const to = newAddress('new');
					if (way === 'code') {
						const code = await changeCode(fixture.server, person, to);
						expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
						expect((await changeByCode(fixture.server, bearer(other.token), to, code)).status).toBe(
							400
						);
						expect((await changeByCode(fixture.server, {}, to, code)).status).toBe(401);
						expect(
							(await changeByCode(fixture.server, bearer(person.token), to, code)).status
						).toBe(200);
					} else {
						const link = await changeLink(fixture.server, person, to);
						const form = await formKey(fixture.server, '/auth/login');
						const page = await follow(browserOf(fixture.server, person), pathOfLink(link));
						expect(heading(page)).toBe(messages.verifyEmail.title);
						expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
						const sent = await confirmLink(fixture.server, form, null, link);
						expect([sent.status, sent.headers.location?.split('?')[0]]).toEqual([
							303,
							'/auth/login'
						]);
						expect(linkOutcome(await confirmLink(fixture.server, form, other, link))).toBe(REFUSED);
						expect(linkOutcome(await confirmLink(fixture.server, form, person, link))).toBe(
							CHANGED
						);
					}
					const { user } = present(await me(fixture.server, bearer(person.token)));
					expect(user['email']).toBe(to);
				}
			);
		},
		{ SIGN_UP: 'closed', AUTH_ENTRY: 'single', EMAIL_CHANGE_NOTICE: 'off' }
	);
});
