import { expect, test } from 'vitest';
import { referenceHtml } from '#lib/adapters/web/service/reference-html.ts';
import { apiDocument, documentedOperations } from '../../support/api/document.ts';
import { sampleDocument } from '../../support/api/sample.ts';
import { idsIn, linksIn, textOf } from '../../support/http/browser.ts';

/** The text of a part: its title, what it is about, and all that it shows once it is open. */
const partOf = (html: string, id: string): string => {
	const part = html.split('<details>').find((one) => one.includes(`<div id="${id}">`));
	return textOf(part?.split('</details>')[0] ?? '').trim();
};

test('the reference shows how to make each call, what it takes, needs and returns, and its own errors', () => {
	const html = referenceHtml(sampleDocument());
	const [change, ...others] = ['change', 'show', 'end', 'click', 'check'].map((id) =>
		partOf(html, id)
	);
	expect(change?.replace(/PROOF_OF_WORK on.* new challenge\./, '…')).toBe(
		'Change POST /api/auth/change-email curl \\ https://a.example/api/auth/change-email \\ -H "Authorization: Bearer $TOKEN" \\ --json \'{ "name": "Ada" }\' One <b>. Two bold x or ACCOUNT_DELETED . Counts towards the limit for sending codes and links. See Limits . Needs a session. Request name string of at most 9 characters or null A name. more object, optional more.at list of integer Times. dry string of at most 5 characters, in the query, optional X-Postern-Client string, in the header, optional The client key of the app, see Client keys . X-Postern-Proof string of at most 2048 characters, in the header, optional Only where the operator switched … Response 200: list of Thing Things. X-Set string, in the header A header. [ { "id": "1" } ] Errors ACCOUNT_DELETED 403 The account was deleted in the last 30 days. The code stays valid for the same call with restore . EMAIL_NOT_SENT 503 The email could not be sent, or too many others wait for the mail server (then with Retry-After ). An earlier code stays valid.'
	);
	expect(html).toContain(
		'<p>One &lt;b&gt;.</p>\n\n<p>Two <strong>bold</strong> <code>x</code> or <code>ACCOUNT_DELETED</code>.</p>'
	);
	expect(html).not.toMatch(/<(ul|dl|h4)[^>]*><\/\1>/);
	expect(others).toEqual([
		'Show GET /api/auth/ok curl \\ https://a.example/api/auth/ok Shows. Needs no session. Response 200 A page.',
		'End POST /api/unsubscribe/{token} curl -X POST \\ https://a.example/api/unsubscribe/a-b \\ -H "Authorization: Bearer $TOKEN" Ends. Counts towards the limit for checking codes. See Limits . Works with or without a session. Request token string, in the path A link. Response 200 Done. a "<" b Thing c anything { "a": "<", "b": { "id": "2" }, "c": 3 }',
		"Click POST /api/hello curl \\ https://a.example/api/hello \\ -d 'a+b=c%26d' Clicks. No limit counts the call. Needs no session. Request a b string Any. Response 302 To a page. Location string, in the header The page.",
		'Check GET /api/auth/forward curl \\ https://a.example/api/auth/forward \\ -H "X-Uri: /a" \\ -b "__Host-postern_session=$TOKEN" Checks. No limit counts the call. Needs a session. Request X-Uri string, in the header X-Some string, in the header, optional Response 200 Yes. X-User string, in the header'
	]);
});

test('it lists the rules and errors of all calls, then the calls in their groups, and the objects', () => {
	const html = referenceHtml(sampleDocument());
	const titles = [...html.matchAll(/<h([1-3])[^>]*>(.*?)<\/h\1>/g)].map(
		([, level = '', title = '']) => level + title
	);
	expect(titles.join(' ')).toBe(
		'1API reference 2For all calls 3Requests 3Responses 3Limits 3Client keys 3Sessions 3Order of checks 3Origins 3Redirect targets 3Common errors 2Email change 3Change 2Service 3Show 3End 3Click 3Check 2Objects 3Error 3Thing'
	);
	expect(textOf(html)).toContain(
		'API reference The API for signing in to <b>A & B without a password. openapi.json For all calls Email change Service Objects For all calls Requests'
	);
	expect(['limits', 'errors', 'Thing'].map((id) => partOf(html, id))).toEqual([
		expect.stringContaining(
			'Limits A client can make 100 calls in 60 seconds to one path, 20 calls in 60 seconds for sending codes and links, and 30 calls in 60 seconds for checking codes.'
		),
		expect.stringMatching(
			/^Common errors TOO_MANY_REQUESTS 429, calls with a limit Too many requests\. Please try again later\. INVALID_ORIGIN 403, calls that change state The call comes .* INTERNAL_ERROR 500, all calls Something went wrong on our side$/
		),
		'Thing A thing. id string Its id.'
	]);
});

test('it has every call and error of the product, unique anchors, and a target for every link to one', () => {
	const html = referenceHtml(apiDocument);
	for (const { path, method, operation } of documentedOperations) {
		expect(partOf(html, operation.operationId)).toContain(`${method.toUpperCase()} ${path} `);
	}
	for (const [, code] of JSON.stringify(apiDocument).matchAll(/`([A-Z_]+)`: /g)) {
		expect(html).toContain(`<code>${code}</code>`);
	}
	// Blocks scroll sideways.
	expect(html).not.toMatch(/<pre(?! tabindex="0")/);
	const [ids, links] = [idsIn(html), linksIn(html)];
	expect(new Set(ids).size).toBe(ids.length);
	const targets = links.filter((link) => link.startsWith('#')).map((link) => link.slice(1));
	expect(targets).toContain('client-keys');
	expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
});
