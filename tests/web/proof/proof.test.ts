import { describe, expect, test } from 'vitest';
import { puzzleOf, encodeAnswer, solve } from '../../support/web/solve.ts';
import {
	aVisitedSite,
	demandOf,
	enterCode,
	formAction,
	newAddress,
	purchasePage,
	SEND
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer } from '../../support/web/visitor.ts';

const ON = { PROOF_OF_WORK: 'on' };
const CLIENT = { 'x-postern-client': 'k'.repeat(22) };
const PAGE = '/auth/sign-in';
const proofHeader = (proof: string): Record<string, string> => ({ 'x-postern-proof': proof });

/** A program that sends codes, and solves challenges. */
const aProgram = (site: Site) => {
	const visitor = site.visitor();
	const email = newAddress();
	const send = (
		headers: Record<string, string> = {},
		to = email,
		client: Record<string, string> = CLIENT
	): Promise<Answer> =>
		visitor.call(SEND, { json: { email: to }, headers: { ...client, ...headers } });
	const proof = async (client?: Record<string, string>): Promise<Record<string, string>> => {
		const challenge = puzzleOf(await send({}, email, client));
		if (challenge === null) throw new Error('no challenge');
		return proofHeader(await solve(challenge));
	};
	return { email, send, proof };
};

/** The puzzle that the email form of a page comes back with. */
const proofFor = async (answer: Promise<Answer>): Promise<string> => {
	const { puzzle } = demandOf(await answer) ?? {};
	return solve(puzzle as NonNullable<App.FormDemand['puzzle']>);
};

describe('PROOF_OF_WORK=on, over the API', () => {
	test('R14 a send needs the answer to a challenge, which is accepted once', async () => {
		const site = await aSite(ON);
		const { email, send } = aProgram(site);
		const refused = await send();
		expect([refused.status, refused.json()]).toEqual([
			403,
			{
				message: 'Challenge required',
				code: 'CHALLENGE_REQUIRED',
				challenge: expect.objectContaining({ signature: expect.any(String) })
			}
		]);
		const challenge = puzzleOf(refused);
		const header = proofHeader(await solve(challenge as NonNullable<typeof challenge>));
		const invalid = { json: { email, type: 'other' }, headers: { ...CLIENT, ...header } };
		expect((await site.visitor().call(SEND, invalid)).json()).toMatchObject({
			code: 'INVALID_OTP_TYPE'
		});
		expect(await site.mailsTo(email)).toEqual([]);
		expect((await send(header)).status).toBe(200);
		const replayed = await send(header);
		expect([replayed.status, puzzleOf(replayed) === null]).toEqual([403, false]);
		expect(await site.mailsTo(email)).toHaveLength(1);
	});

	test('R14 an answer counts for the program and the email address of its challenge only', async () => {
		const { email, send, proof } = aProgram(await aSite(ON));
		const header = await proof();
		expect((await send(header, newAddress())).status).toBe(403);
		for (const other of [{ 'x-postern-client': 'o'.repeat(22) }, {}]) {
			expect((await send(header, email, other)).status).toBe(403);
		}
		expect((await send(header)).status).toBe(200);
	});

	test.each([
		['no answer', encodeAnswer({ challenge: {}, solution: {} })],
		['empty', '']
	])('one that is malformed (%s) is 400 before any store is asked', async (_, text) => {
		const site = await aSite(ON);
		const { send } = aProgram(site);
		const queries = await site.queriesOf(async () => {
			const answer = await send(proofHeader(text));
			const message = 'X-Postern-Proof is not an answer to a challenge';
			expect([answer.status, answer.json()]).toEqual([400, { message, code: 'INVALID_PROOF' }]);
		});
		expect(queries).toEqual([]);
	});
});

test('PROOF_OF_WORK=off, the default, ignores the header, valid or not', async () => {
	const site = await aSite();
	const { email, send } = aProgram(site);
	expect((await send(proofHeader('{}'))).status).toBe(200);
	expect(await site.mailsTo(email)).toHaveLength(1);
});

describe('PROOF_OF_WORK=on, in a form', () => {
	const aForm = async () => {
		const { site, visitor, email } = await aVisitedSite(ON);
		const post = (fields: Record<string, string> = {}, to = email): Promise<Answer> =>
			visitor.post(formAction(PAGE, 'request'), { email: to, ...fields });
		return { site, visitor, email, post };
	};

	test('a refused form keeps its values and contains a puzzle', async () => {
		const { post, email } = await aForm();
		const answer = await post({ consent: 'on' });
		expect(answer.status).toBe(403);
		expect(answer.form).toMatchObject({
			form: { id: 'email', data: { email, consent: true }, errors: {} }
		});
		expect(demandOf(answer)).toEqual({
			puzzle: expect.objectContaining({ signature: expect.any(String) }),
			wait: null
		});
	});

	test('takes the solution once, in the browser and for the email address it was made for', async () => {
		const { site, visitor, email, post } = await aForm();
		// From now on, this browser has a key.
		visitor.setCookie('postern_browser', `${'a'.repeat(42)}A`);
		const proof = await proofFor(post());
		const other = site.visitor();
		other.setCookie('postern_browser', `${'b'.repeat(42)}A`);
		const elsewhere = await other.post(formAction(PAGE, 'request'), { email, proof });
		expect(elsewhere.status).toBe(403);
		expect((await post({ proof }, newAddress())).status).toBe(403);
		expect((await post({ proof })).status).toBe(303);
		site.clock.advance(31);
		const resend = (fields: object): Promise<Answer> =>
			visitor.post(formAction(PAGE, 'resend'), { email, ...fields });
		const replayed = resend({ proof });
		expect((await replayed).status).toBe(403);
		expect((await resend({ proof: await proofFor(replayed) })).status).toBe(303);
		expect((await enterCode(site, visitor, email)).status).toBe(303);
	});

	test.each(['no proof', ''])('treats the field "%s" as none', async (proof) => {
		const { post } = await aForm();
		expect((await post({ proof })).status).toBe(403);
	});

	test('on the page of a purchase, the puzzle does not show the email address', async () => {
		const { site, visitor } = await aForm();
		const email = newAddress('buyer');
		const page = await purchasePage(site, email);
		for (const action of ['request', 'resend']) {
			const asked = visitor.post(formAction(page, action));
			const { status, text, form } = await asked;
			expect([status, (text + JSON.stringify(form)).includes(email)]).toEqual([403, false]);
			const proof = await proofFor(asked);
			expect((await visitor.post(formAction(page, action), { proof })).status).toBe(303);
			site.clock.advance(31);
		}
	});
});
