import { describe, expect, test } from 'vitest';
import { openApiDocument } from '#lib/adapters/web/operations.ts';
import { referenceHtml } from '#lib/adapters/web/service/reference-html.ts';
import { apiDocument, documentedOperations } from '../../support/api/document.ts';
import { idsIn, linksIn, textOf } from '../../support/http/browser.ts';

const html = referenceHtml(apiDocument);
const sectionOf = (id: string): string =>
	textOf(html.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '');

describe('the API reference', () => {
	test.each(documentedOperations)(
		'has $method $path with its parameters and the errors of each status',
		({ path, method, operation }) => {
			const section = sectionOf(operation.operationId);
			expect(section).toContain(`${method.toUpperCase()} ${path}`);
			for (const { name } of operation.parameters) expect(section).toContain(` ${name} `);
			for (const status of Object.keys(operation.responses)) expect(section).toContain(status);
		}
	);

	test('says what a call takes, needs and returns', () => {
		const signIn = sectionOf('signIn');
		expect(signIn).toContain('Needs no session.');
		expect(signIn).toMatch(/Request X-Postern-Client string, in the header, optional /);
		expect(signIn).toMatch(
			/ otp string The code .* name string, at most 200 characters, optional /
		);
		expect(signIn).toMatch(
			/Response 200: object .* set-auth-token string, in the header .* user User /
		);
		expect(signIn).toMatch(/Errors 400 BAD_REQUEST , .* INVALID_OTP .*; 403 .* ACCOUNT_DELETED /);
		expect(sectionOf('hello')).toContain('Needs a session.');
		expect(sectionOf('hello')).toContain('401 UNAUTHORIZED');
		expect(sectionOf('getSession')).toContain('Works with or without a session.');
		expect(sectionOf('listSessions')).toContain('Response 200: list of Session');
		expect(sectionOf('unsubscribe')).toContain(' List-Unsubscribe "One-Click" ');
		expect(sectionOf('openChangeLink')).toContain('Response 302');
	});

	test('explains every error code and every object', () => {
		for (const code of Object.keys(apiDocument.components.examples)) {
			expect(sectionOf('errors')).toContain(` ${code} `);
		}
		expect(sectionOf('User')).toMatch(/ image string or null URL of a picture/);
		expect(sectionOf('Challenge')).toContain(' parameters.nonce string ');
	});

	test('has unique anchors, and every link to one of them has a target', () => {
		const ids = idsIn(html);
		expect(new Set(ids).size).toBe(ids.length);
		const targets = linksIn(html).filter((link) => link.startsWith('#'));
		expect(targets.length).toBeGreaterThan(30);
		expect(targets.filter((link) => !ids.includes(link.slice(1)))).toEqual([]);
	});

	test('shows the name of the site as text', () => {
		const config = { origin: 'http://localhost', secure: false, signInLayout: 'split' } as const;
		const named = referenceHtml(openApiDocument({ ...config, siteName: '<b>A & B' }));
		expect(named).toContain('&lt;b&gt;A &amp; B');
		expect(named).not.toContain('<b>');
	});
});
