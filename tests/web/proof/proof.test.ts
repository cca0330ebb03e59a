import { describe, expect, test } from 'vitest';
import { memorySpentProofs } from '#lib/adapters/memory/limits/spent-proofs.ts';
import { checkTicketsOf } from '#lib/domain/limits/check-tickets.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import type { ProofDemand } from '#lib/view/proof.ts';
import { aNetwork, aProof } from '../../support/domain/builders.ts';
import { wrong } from '../../support/domain/fixture.ts';
import { challengeOf, encodeAnswer, solve } from '../../support/proof/solve.ts';
import { demandOf, solving } from '../../support/proof/solving.ts';
import {
	formAction,
	newAddress,
	requestCode,
	SEND,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const { lifetime, ticketWait } = defaultPolicy.proof;
const CLIENT = { 'x-postern-client': 'k'.repeat(22) };
const REQUEST = formAction('/auth/sign-in', 'request');
const proofHeader = (proof: string): Record<string, string> => ({ 'x-postern-proof': proof });

/** Uses up the sends of an email address that need no proof. */
const useFree = async (visitor: Visitor, email: string): Promise<void> => {
	for (let sent = 0; sent < defaultPolicy.throttle.networkFree; sent += 1) {
		expect((await visitor.call(SEND, { json: { email }, headers: CLIENT })).status).toBe(200);
	}
};

/** A client whose next send needs a proof. */
const pressed = async () => {
	const site = await aSite();
	const visitor = site.visitor();
	const email = newAddress();
	await useFree(visitor, email);
	const send = (
		headers: Record<string, string> = {},
		to = email,
		client: Record<string, string> = CLIENT
	): Promise<Answer> =>
		visitor.call(SEND, { json: { email: to }, headers: { ...client, ...headers } });
	const answered = async (answer: Answer): Promise<string> => {
		const challenge = challengeOf(answer);
		if (challenge === null) throw new Error(`no challenge: ${answer.text}`);
		return solve(challenge);
	};
	return { site, visitor, email, send, answered, proof: async () => answered(await send()) };
};

/** A form whose next send needs a proof, and what it was refused with. */
const pressedForm = async () => {
	const { site, visitor, email } = await pressed();
	const post = (fields: Record<string, string> = {}, to = email): Promise<Answer> =>
		visitor.post(REQUEST, { email: to, ...fields });
	const demanded = async (fields: Record<string, string> = {}): Promise<ProofDemand> => {
		const answer = await post(fields);
		const demand = demandOf(answer);
		expect([answer.status, demand === null]).toEqual([403, false]);
		return demand as ProofDemand;
	};
	/** The same post from another browser of the same network. */
	const elsewhere = async (fields: Record<string, string>): Promise<Answer> => {
		const own = visitor.cookie('postern_browser');
		visitor.setCookie('postern_browser', `${'b'.repeat(42)}A`);
		await visitor.open('/auth/sign-in');
		const answer = await post(fields);
		visitor.setCookie('postern_browser', own);
		await visitor.open('/auth/sign-in');
		return answer;
	};
	return { site, visitor, email, post, elsewhere, demanded };
};

describe('the header X-Postern-Proof', () => {
	test('answers the challenge of a call, once', async () => {
		const { email, send, answered, site } = await pressed();
		const refused = await send();
		expect(refused.json()).toEqual({
			message: 'Challenge required',
			code: 'CHALLENGE_REQUIRED',
			challenge: expect.objectContaining({ signature: expect.any(String) })
		});
		expect(refused.status).toBe(403);
		const header = proofHeader(await answered(refused));
		const sent = (await site.mailsTo(email)).length;
		expect((await send(header)).status).toBe(200);
		expect((await site.mailsTo(email)).length).toBe(sent + 1);
		const replayed = await send(header);
		expect([replayed.status, challengeOf(replayed) === null]).toEqual([403, false]);
		expect((await site.mailsTo(email)).length).toBe(sent + 1);
	});

	test('of another email address, client or client key is worth nothing', async () => {
		const { visitor, email, send, proof } = await pressed();
		const other = newAddress();
		await useFree(visitor, other);
		const mine = proofHeader(await proof());
		expect((await send(mine, other)).status).toBe(403);
		expect((await send(mine, email, { 'x-postern-client': 'j'.repeat(22) })).status).toBe(403);
		expect((await send(mine, email, {})).status).toBe(403);
		expect((await visitor.api(SEND, { json: { email }, headers: mine })).status).toBe(403);
		expect((await send(mine, email.toUpperCase())).status).toBe(200);
	});

	test('of a send is worth nothing for a check, and the other way round', async () => {
		const { site, email, send, proof } = await pressed();
		const scope = {
			purpose: 'check',
			email,
			client: `program ${CLIENT['x-postern-client']}`
		} as const;
		const forCheck = await solve(await site.app.proofs.puzzle(scope, 7));
		expect((await send(proofHeader(forCheck))).status).toBe(403);
		const forSend = await proof();
		expect(await site.app.proofs.readAnswer(scope, forSend)).toBeNull();
		expect(await site.app.proofs.readAnswer(scope, forCheck)).toMatchObject({ level: 7 });
	});

	test('is worth nothing after five minutes', async () => {
		const { site, send, proof } = await pressed();
		const header = proofHeader(await proof());
		site.clock.advance(lifetime);
		expect((await send(header)).status).toBe(403);
	});

	test.each([
		['no base64', '{}'],
		['no answer', encodeAnswer({ challenge: {}, solution: {} })],
		['oversized', 'A'.repeat(9000)],
		['two values', 'AAAA, AAAA'],
		['empty', '']
	])('that is malformed (%s) is 400, before any store is asked', async (_, text) => {
		const { site, email, visitor } = await pressed();
		const queries = await site.queriesOf(async () => {
			const answer = await visitor.call(SEND, { json: { email }, headers: proofHeader(text) });
			expect([answer.status, answer.text]).toEqual([
				400,
				JSON.stringify({
					message: 'X-Postern-Proof is not an answer to a challenge',
					code: 'INVALID_PROOF'
				})
			]);
		});
		expect(queries).toEqual([]);
	});

	test('is needed for the same sends with and without an account', async () => {
		const site = await aSite();
		const { email: known } = await signIn(site);
		site.clock.advance(defaultPolicy.throttle.window);
		const answers = [];
		for (const email of [known, newAddress()]) {
			const visitor = site.visitor();
			await useFree(visitor, email);
			answers.push(await visitor.call(SEND, { json: { email }, headers: CLIENT }));
		}
		const [one, two] = answers.map(({ status, headers, text }) => [
			status,
			[...headers.keys()].sort(),
			text.replace(/[0-9a-f]{32,64}|"binding":"[^"]+"/g, '?')
		]);
		expect(one).toEqual(two);
		expect(one?.[0]).toBe(403);
	});
});

describe('a form that needs a proof', () => {
	test('comes back with its values, a puzzle and a ticket, and says neither why nor for whom', async () => {
		const { post, email } = await pressedForm();
		const answer = await post({ consent: 'on' });
		expect(answer.status).toBe(403);
		expect(answer.form).toMatchObject({
			form: { id: 'email', data: { email, consent: true }, errors: {} }
		});
		expect(demandOf(answer)).toEqual({
			purpose: 'send',
			puzzle: expect.objectContaining({ signature: expect.any(String) }),
			ticket: { text: expect.any(String), seconds: 20, early: false },
			ticketAfter: 0,
			wait: null
		});
	});

	test('takes the solution once, from the browser and for the email address it was made for', async () => {
		const { site, visitor, post, elsewhere, demanded } = await pressedForm();
		const { puzzle } = await demanded();
		const proof = await solve(puzzle as NonNullable<typeof puzzle>);
		expect((await elsewhere({ proof })).status).toBe(403);
		const another = newAddress();
		await useFree(visitor, another);
		expect((await post({ proof }, another)).status).toBe(403);
		expect((await post({ proof })).status).toBe(303);
		site.clock.advance(31);
		expect((await post({ proof })).status).toBe(403);
	});

	test('takes a ticket after 20 seconds, once; too early it keeps the ticket and says how long', async () => {
		const { site, email, post, demanded } = await pressedForm();
		const { ticket } = await demanded();
		const text = ticket?.text ?? '';
		site.clock.advance(7.5);
		const early = await post({ ticket: text });
		expect([early.status, early.headers.get('retry-after')]).toEqual([403, '13']);
		expect(demandOf(early)).toEqual({
			purpose: 'send',
			puzzle: null,
			ticket: { text, seconds: 13, early: true },
			ticketAfter: 0,
			wait: null
		});
		expect(early.form).toMatchObject({ form: { data: { email } } });
		site.clock.advance(12.5);
		const sent = (await site.mailsTo(email)).length;
		expect((await post({ ticket: text })).status).toBe(303);
		expect((await site.mailsTo(email)).length).toBe(sent + 1);
		site.clock.advance(31);
		expect((await demanded({ ticket: text })).ticket?.text).not.toBe(text);
	});

	test('takes no ticket that is expired, of another browser, or of another email address', async () => {
		const { site, visitor, post, elsewhere, demanded } = await pressedForm();
		const { ticket } = await demanded();
		const text = ticket?.text ?? '';
		site.clock.advance(ticketWait);
		expect((await elsewhere({ ticket: text })).status).toBe(403);
		const another = newAddress();
		await useFree(visitor, another);
		expect((await post({ ticket: text }, another)).status).toBe(403);
		site.clock.advance(lifetime - ticketWait);
		const late = await demanded({ ticket: text });
		expect(late.ticket).toMatchObject({ seconds: ticketWait, early: false });
		expect(late.ticket?.text).not.toBe(text);
	});

	test.each([
		['malformed', { proof: 'no proof', ticket: 'no ticket' }],
		['oversized', { proof: 'A'.repeat(20_000), ticket: '1'.repeat(20_000) }],
		['empty', { proof: '', ticket: '' }]
	])('treats fields that are %s as none', async (_, fields) => {
		const { post } = await pressedForm();
		const answer = await post(fields);
		expect([answer.status, demandOf(answer)?.ticket?.early]).toEqual([403, false]);
	});

	test('on the code step, the settings and the page of a purchase is the same', async () => {
		const site = await aSite();
		const { visitor } = await signIn(site);
		const to = newAddress('new');
		await useFree(visitor, to);
		const change = await visitor.post('/settings?/request', { email: to });
		expect([change.status, demandOf(change)?.ticket?.seconds]).toEqual([403, 20]);
		expect(change.form).toMatchObject({ form: { id: 'new-email', data: { email: to } } });
		expect((await solving(visitor).post('/settings?/request', { email: to })).status).toBe(303);

		const buyer = newAddress('buyer');
		const guest = site.visitor();
		await useFree(guest, buyer);
		const bought = await site.app.recordPurchase({ email: buyer, product: 'A book' });
		const page = `/checkout/success?reference=${bought.ok ? bought.value.reference : ''}`;
		const asked = await guest.post(formAction(page, 'request'));
		expect([asked.status, demandOf(asked)?.purpose]).toEqual([403, 'send']);
		expect(asked.text + JSON.stringify(asked.form)).not.toContain(buyer);
		expect((await solving(guest).post(formAction(page, 'request'))).status).toBe(303);
		site.clock.advance(31);
		const again = await guest.post(formAction(page, 'resend'));
		expect([again.status, demandOf(again)?.purpose]).toEqual([403, 'send']);
	});
});

describe('when no send is free', () => {
	test('the page says when to come back and who is not affected, and offers the proof in time', async () => {
		const site = await aSite();
		const visitor = site.visitor();
		const email = newAddress();
		for (let sent = 0; sent < 5; sent += 1) await solving(visitor).call(SEND, { json: { email } });
		const early = await visitor.post(REQUEST, { email });
		expect(early.status).toBe(429);
		expect(early.form).toMatchObject({
			form: { errors: { _errors: [messages.errors.tooManySends(15, false)] } }
		});
		expect(demandOf(early)).toMatchObject({ puzzle: null, wait: { seconds: 900 } });
		site.clock.advance(900 - 120);
		const late = await visitor.post(REQUEST, { email });
		const demand = demandOf(late);
		expect([late.status, demand?.wait?.seconds, demand?.ticket]).toEqual([429, 120, null]);
		const proof = await solve(demand?.puzzle as NonNullable<ProofDemand['puzzle']>);
		site.clock.advance(120);
		expect((await visitor.post(REQUEST, { email, proof })).status).toBe(303);
	});

	test('a known device is told only when to come back', async () => {
		const site = await aSite();
		const { visitor, email } = await signIn(site);
		await visitor.open('/auth/sign-out');
		await visitor.post('/auth/sign-out');
		for (let sent = 0; sent < 5; sent += 1)
			expect((await solving(visitor).api(SEND, { json: { email } })).status).toBe(200);
		site.clock.advance(31);
		const refused = await visitor.post(REQUEST, { email });
		expect([refused.status, demandOf(refused)]).toMatchObject([
			429,
			{ puzzle: null, ticket: null, wait: { seconds: 869, endsOnEdit: true } }
		]);
		expect(refused.form).toMatchObject({
			form: { errors: { _errors: [messages.errors.tooManySends(15, true)] } }
		});
	});

	test('because the emails of the hour are used up, it is 503 and says so', async () => {
		const site = await aSite({ EMAIL_BUDGET: '10' });
		const statuses: number[] = [];
		let last: Answer | null = null;
		for (let sent = 0; sent < 12; sent += 1) {
			last = await requestCode(site.visitor(), newAddress());
			statuses.push(last.status);
		}
		expect(statuses.filter((status) => status === 303).length).toBe(8);
		expect(last?.status).toBe(503);
		expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(JSON.stringify(last?.form)).toContain('We can’t send more emails right now.');
		const seconds = Number(last?.headers.get('retry-after'));
		const reason = messages.errors.overBudgetNow(false);
		expect(last?.form).toMatchObject({
			form: { message: { wait: { seconds, reason, endsOnEdit: true }, puzzle: null } }
		});
		const call = await site.visitor().call(SEND, { json: { email: newAddress() } });
		expect([call.status, call.json()]).toEqual([
			503,
			{
				message: 'The email could not be sent. Please try again.',
				code: 'EMAIL_NOT_SENT'
			}
		]);
	});
});

describe('while many wrong codes are entered', () => {
	/** Wrong guesses over many email addresses, until unknown clients have to prove work. */
	const underAttack = async () => {
		const site = await aSite();
		const visitor = site.visitor();
		const email = newAddress();
		await visitor.call(SEND, { json: { email }, headers: CLIENT });
		const code = await site.codeFor(email);
		for (let guesses = 0; guesses <= defaultPolicy.guessing.proofAbove; guesses += 5) {
			const attacker = site.visitor();
			const target = newAddress();
			await attacker.call(SEND, { json: { email: target } });
			const json = { email: target, otp: wrong(await site.codeFor(target)) };
			for (let at = 0; at < 5; at += 1) await attacker.call(VERIFY, { json });
		}
		// The guesses of a process are counted once a second.
		site.clock.advance(1);
		return { site, visitor, email, code };
	};

	test('a check over the API needs a proof for checks, once, and costs no attempt without', async () => {
		const { site, visitor, email, code } = await underAttack();
		const check = (otp: string, headers: Record<string, string> = {}): Promise<Answer> =>
			visitor.call(VERIFY, { json: { email, otp }, headers: { ...CLIENT, ...headers } });
		const proven = async (): Promise<Record<string, string>> => {
			const challenge = challengeOf(await check(code));
			return proofHeader(await solve(challenge as NonNullable<typeof challenge>));
		};
		for (let at = 0; at < 7; at += 1) expect((await check(wrong(code))).status).toBe(403);
		const header = await proven();
		expect((await check(wrong(code), header)).status).toBe(400);
		expect((await check(code, header)).status).toBe(403);
		const client = `program ${CLIENT['x-postern-client']}`;
		const forSend = await site.app.proofs.puzzle({ purpose: 'send', email, client }, 7);
		expect((await check(code, proofHeader(await solve(forSend)))).status).toBe(403);
		expect((await check(code, await proven())).status).toBe(200);
	});

	/** All checks by ticket of this minute, from other networks. */
	const useTickets = async ({ tables, clock }: Pick<Site, 'tables' | 'clock'>): Promise<void> => {
		const { spend } = memorySpentProofs(tables);
		for (let used = 0; used < checkTicketsOf(defaultPolicy); used += 1) {
			const ticket = aProof({ kind: 'ticket', level: 0 });
			await spend(ticket, aNetwork(`network ${used}`), clock.now(), defaultPolicy);
		}
	};

	test('a form gets no ticket while they are used up; it keeps the code and its own ticket, and says when to come back', async () => {
		const { site, visitor } = await underAttack();
		const email = newAddress();
		await requestCode(visitor, email);
		const fields = { email, code: await site.codeFor(email) };
		const post = (more: Record<string, string> = {}, to = email): Promise<Answer> =>
			visitor.post(formAction('/auth/sign-in', 'verify'), { ...fields, email: to, ...more });
		const ticket = demandOf(await post())?.ticket?.text ?? '';
		site.clock.advance(ticketWait);
		await useTickets(site);
		const kept = await post({ ticket });
		const left = Number(kept.headers.get('retry-after'));
		expect([kept.status, left > 0 && left <= 60]).toEqual([403, true]);
		expect(demandOf(kept)).toMatchObject({
			...{ purpose: 'check', ticketAfter: 0 },
			ticket: { text: ticket, seconds: left, early: false }
		});
		for (const refused of [await post(), await post({}, newAddress())]) {
			const seconds = Number(refused.headers.get('retry-after'));
			expect([refused.status, seconds > 0 && seconds <= 60]).toEqual([403, true]);
			expect(demandOf(refused)).toMatchObject({ purpose: 'check', ticket: null });
			expect(demandOf(refused)?.ticketAfter).toBe(seconds);
			expect(refused.form).toMatchObject({ form: { id: 'code', data: { code: fields.code } } });
		}
		// A page with JavaScript is not affected.
		const other = site.visitor();
		const theirs = newAddress();
		await requestCode(other, theirs);
		const own = { email: theirs, code: await site.codeFor(theirs) };
		const solved = await solving(other).post(formAction('/auth/sign-in', 'verify'), own);
		expect(solved.status).toBe(303);
		site.clock.advance(left);
		expect((await post({ ticket })).status).toBe(303);
	});

	test('a form keeps the code, and takes a proof or a ticket', async () => {
		const { site, visitor } = await underAttack();
		const email = newAddress();
		await requestCode(visitor, email);
		const path = formAction('/auth/sign-in', 'verify');
		const fields = { email, code: await site.codeFor(email) };
		const refused = await visitor.post(path, fields);
		const demand = demandOf(refused);
		expect([refused.status, demand?.purpose, demand?.ticket?.seconds]).toEqual([403, 'check', 20]);
		expect(refused.form).toMatchObject({ form: { id: 'code', data: fields } });
		const ticket = demand?.ticket?.text ?? '';
		expect(demandOf(await visitor.post(path, { ...fields, ticket }))?.ticket?.early).toBe(true);
		site.clock.advance(ticketWait);
		expect((await visitor.post(path, { ...fields, ticket })).status).toBe(303);
	});
});
