import { expect, test } from 'vitest';
import { referenceHtml } from '#lib/adapters/web/service/reference-html.ts';
import { apiDocument, documentedOperations } from '../../support/api/document.ts';
import { sampleDocument, sampleOperations } from '../../support/api/sample.ts';
import { idsIn, linksIn, textOf } from '../../support/http/browser.ts';

/** The text of a section without its sections. */
const sectionOf = (html: string, id: string): string =>
	textOf(html.split(`<section id="${id}">`)[1]?.split(/<\/?section/)[0] ?? '').trim();

test('the reference shows how to make each call, what it takes, needs and returns, and its own errors', () => {
	const html = referenceHtml(sampleDocument());
	const [change, ...others] = sampleOperations.map(({ id }) => sectionOf(html, id));
	expect(change?.replace(/PROOF_OF_WORK on.* new challenge\./, '…')).toBe(
		'Change POST /api/auth/change-email curl https://a.example/api/auth/change-email \\ -H "Authorization: Bearer $TOKEN" \\ --json \'{ "name": "Ada" }\' Needs a session. One <b>. Two bold x or ACCOUNT_DELETED . Counts among all calls that send a code or a link. Request dry string, at most 5 characters, in the query, optional name string, at most 9 characters or null A name. more object, optional more.at list of integer Times. X-Postern-Client string, in the header, optional The client key of the app, see Client keys . X-Postern-Proof string, at most 2048 characters, in the header, optional Only where the operator switched … Response 200: list of Thing Things. X-Set string, in the header A header. Errors 403 ACCOUNT_DELETED 503 EMAIL_NOT_SENT'
	);
	expect(html).toContain(
		'<p>One &lt;b&gt;.</p>\n\n<p>Two <strong>bold</strong> <code>x</code> or <code>ACCOUNT_DELETED</code>. '
	);
	expect(html).not.toMatch(/<(ul|dl|h4)[^>]*><\/\1>/);
	expect(others).toEqual([
		'Show GET /api/auth/ok curl https://a.example/api/auth/ok Needs no session. Shows. Response 200 A page.',
		'End POST /api/unsubscribe/{token} curl -X POST https://a.example/api/unsubscribe/a-b \\ -H "Authorization: Bearer $TOKEN" Works with or without a session. Ends. Counts among all calls that check a code. Request token string, in the path A link. Response 200: object Done. a "<" b Thing c anything',
		"Click POST /api/hello curl https://a.example/api/hello \\ -d 'a+b=c%26d' Needs no session. Clicks. No limit counts it. Request a b string Any. Response 302 To a page. Location string, in the header The page.",
		'Check GET /api/auth/forward curl https://a.example/api/auth/forward \\ -H "X-Uri: /a" \\ -b "__Host-postern_session=$TOKEN" Needs a session. Checks. No limit counts it. Request X-Uri string, in the header X-Some string, in the header, optional Response 200 Yes. X-User string, in the header'
	]);
});

test('it begins with its contents and the calls, and ends with the rules, errors and objects', () => {
	const html = referenceHtml(sampleDocument());
	expect(textOf(html.split('<article>')[0] ?? '').trim()).toBe(
		'API reference The API for signing in to <b>A & B without a password: request a code by email, and exchange it for a session. openapi.json describes the same for any tool. Sign-in Session Account Consent Email change Change Service Show End Click Check For all calls Errors of many calls Further errors Objects Error Challenge Thing'
	);
	expect(sectionOf(html, 'rules')).toMatch(
		/^For all calls Requests\. Bodies .* A client can make 100 calls in 60 seconds to one path, 20 calls in 60 seconds to all calls that send a code or a link, and 30 calls in 60 seconds to all calls that check a code\. .* refused with 403\.$/
	);
	expect(sectionOf(html, 'shared-errors')).toMatch(
		/^Errors of many calls TOO_MANY_REQUESTS 429, calls with a limit Too many requests\. Please try again later\. INVALID_ORIGIN 403, calls that change state Invalid origin .* INTERNAL_ERROR 500, all calls Something went wrong on our side$/
	);
	expect(['email-change', 'errors', 'objects', 'Thing'].map((id) => sectionOf(html, id))).toEqual([
		'Email change Change the email address of an account, by code or by link.',
		'Further errors NOT_FOUND Not found METHOD_NOT_ALLOWED Method not allowed ACCOUNT_DELETED Account is scheduled for deletion EMAIL_NOT_SENT The email could not be sent. Please try again.',
		'Objects',
		'Thing A thing. id string Its id.'
	]);
});

test('it has every call and error of the product, unique anchors, and a target for every link to one', () => {
	const html = referenceHtml(apiDocument);
	for (const { path, method, operation } of documentedOperations) {
		expect(sectionOf(html, operation.operationId)).toContain(`${method.toUpperCase()} ${path} `);
	}
	const errors = sectionOf(html, 'shared-errors') + sectionOf(html, 'errors');
	for (const code of Object.keys(apiDocument.components.examples)) {
		expect(errors.split(` ${code} `), code).toHaveLength(2);
	}
	const [ids, links] = [idsIn(html), linksIn(html)];
	expect(new Set(ids).size).toBe(ids.length);
	const targets = links.filter((link) => link.startsWith('#')).map((link) => link.slice(1));
	expect(new Set(targets)).toEqual(new Set(ids));
});
