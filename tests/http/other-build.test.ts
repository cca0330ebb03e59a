import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { pageRules } from '#lib/adapters/web/page-rules.ts';
import { derivePalette } from '#lib/brand/derive-palette.ts';
import type { MailerConfig, RenderMail } from '#lib/adapters/mail/mail-renderer.ts';
import { alphanumericFolder } from '../support/build/alphanumeric.ts';
import { otherBrand } from '../support/build/other-brand.ts';
import { enterOnPage } from '../support/http/account.ts';
import { openBrowser, type Browser } from '../support/http/browser.ts';
import { call, newAddress, type Answer } from '../support/http/client.ts';
import { onOneServer } from '../support/http/fixtures.ts';
import { exampleMails } from '../support/mail/examples.ts';
import { requestHeaders } from './api/request-headers.cases.ts';
import { alphanumericCodes } from './alphanumeric.cases.ts';
import { guidePages } from './docs/guide-pages.cases.ts';

const { light, dark } = derivePalette(otherBrand.accent);

/** Names of headers and cookies are part of the protocol. */
const PROTOCOL = /\bx-postern-[a-z-]+|\b(?:__Host-)?postern_\w+/gi;
/** The places where the original brand is left, with the text around each. */
const originalIn = (text: string): readonly string[] =>
	text.replace(PROTOCOL, '').match(/.{0,40}postern.{0,40}/gi) ?? [];

const HTML = { accept: 'text/html' };
/** Every page, with an example for each parameter. Redirects count too. */
const pages = Object.keys(pageRules).map(
	(id) => id.replace(/\/\([^/]*\)/g, '').replace('[token]', 'a'.repeat(43)) || '/'
);

onOneServer(
	(fixture) => {
		const open = (path: string): Promise<Answer> => call(fixture.server, path, { headers: HTML });

		describe('a build with another brand shows nothing of the original one', () => {
			let browser: Browser;
			beforeAll(async () => {
				browser = openBrowser(fixture.server);
				await enterOnPage(fixture.server, browser, newAddress());
			});

			test.each(pages.filter((path) => !path.includes('[')))('on %s', async (path) => {
				expect(originalIn((await open(path)).text)).toEqual([]);
				expect(originalIn((await browser.open(path)).text)).toEqual([]);
			});

			test.each([
				['a missing page', 404, () => open('/auth/nothing-there')],
				['a malformed path', 400, () => open('/%zz')],
				[
					'a method that a page has not',
					405,
					() =>
						call(fixture.server, '/contact', {
							method: 'PUT',
							headers: { origin: fixture.server.address }
						})
				],
				[
					'a form of another site',
					403,
					() =>
						call(fixture.server, '/auth/sign-in', {
							method: 'POST',
							headers: {
								...HTML,
								origin: 'https://evil.example',
								'content-type': 'application/x-www-form-urlencoded'
							},
							body: 'email=a'
						})
				],
				['the page of a client error', 200, () => open('/api/auth/error?error=ACCOUNT_NOT_FOUND')],
				['a call without a session', 401, () => call(fixture.server, '/api/hello')],
				['a call to nothing', 404, () => call(fixture.server, '/api/auth/nothing')]
			] as const)('in the error for %s', async (_, status, respond) => {
				const { text, status: answered } = await respond();
				expect([answered, originalIn(text)]).toEqual([status, []]);
			});

			test('in any email', async () => {
				// From the copy of the sources, which has the other brand.
				const renderer = join(alphanumericFolder, 'src/lib/adapters/mail/mail-renderer.ts');
				const { mailRenderer } = (await import(renderer)) as {
					mailRenderer: (site: MailerConfig) => RenderMail;
				};
				for (const supportEmail of [otherBrand.supportEmail, null]) {
					const render = mailRenderer({
						siteName: otherBrand.name,
						mail: { kind: 'console', codeInSubject: false, templates: [] },
						origin: 'https://auth.acme.example',
						supportEmail: supportEmail as MailerConfig['supportEmail'],
						signInLayout: 'split'
					});
					for (const mail of Object.values(exampleMails)) {
						const { subject, html, text } = render(mail);
						expect(originalIn(subject + html + text)).toEqual([]);
						expect(html).toContain(otherBrand.name);
						expect(html).toContain(light.text);
						expect(html).toContain(dark.surface);
					}
				}
			});

			test('in any text of a script', async () => {
				const { text } = await open('/auth/sign-in');
				const scripts = [...text.matchAll(/href="\.\.(\/_app\/[^"]+\.js)"/g)];
				expect(scripts.length).toBeGreaterThan(3);
				for (const [, path = ''] of scripts) {
					// Names that scripts use among themselves, which nobody sees.
					const shown = (await open(path)).text.replace(/[`'"]postern-[a-z-]+[`'"]/g, '');
					expect(originalIn(shown)).toEqual([]);
				}
			});
		});

		describe('every page shows the brand', () => {
			test.each(['/', '/docs', '/auth/nothing-there'])(
				'%s has its name, support address and links, and none for developers',
				async (path) => {
					const { text } = await open(path);
					expect(text).toMatch(/<title>[^<]+ · Acme Garden<\/title>/);
					const described = /<meta name="description" content="[^"]*Acme Garden/.test(text);
					expect(described).toBe(path === '/');
					expect(text).toContain(`content="${light.page}" media="(prefers-color-scheme: light)"`);
					expect(text).toContain(`content="${dark.page}" media="(prefers-color-scheme: dark)"`);
					const [, header = ''] = /<header([\s\S]*?)<\/header>/.exec(text) ?? [];
					const [, footer = ''] = /<footer([\s\S]*?)<\/footer>/.exec(text) ?? [];
					const links = [...footer.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)];
					expect(links.slice(1).map(([, href, name]) => [name, href])).toEqual([
						['Shop', 'https://shop.acme.example/'],
						['Privacy', '/privacy']
					]);
					expect(links[0]?.[2]).toBe('Help');
					expect(header).not.toMatch(/docs/i);
				}
			);
		});

		describe('the files of the brand', () => {
			test.each([
				['apple-touch-icon.png', 180, 180, light.accent],
				['mail-logo.png', 120, 120, light.accent]
			])('%s has its size and the accent', async (name, width, height, accent) => {
				const file = join(alphanumericFolder, 'build', 'client', name);
				expect(await open(`/${name}`)).toMatchObject({ status: 200 });
				const { data, info } = await sharp(file)
					.ensureAlpha()
					.raw()
					.toBuffer({ resolveWithObject: true });
				expect([info.width, info.height]).toEqual([width, height]);
				// The middle of the logo, which is a triangle.
				const at = (Math.round(height * 0.55) * width + width / 2) * 4;
				expect(`#${data.subarray(at, at + 3).toString('hex')}`).toBe(accent);
			});

			test('the favicon and the plain page have both themes', async () => {
				const favicon = (await open('/favicon.svg')).text;
				expect(favicon).toContain(`svg{color:${light.accent}}`);
				expect(favicon).toContain(`svg{color:${dark.accent}}`);
				const sheet = (await open('/plain-page.css')).text;
				expect(sheet).toContain(`light-dark(${light.accent}, ${dark.accent})`);
				expect(sheet).not.toMatch(/brand\([a-z]/);
			});

			test('the plain page has the name and the logo', async () => {
				const { text } = await call(fixture.server, '/%zz', { headers: HTML });
				expect(text).toContain(
					'<title>The server couldn’t understand this request · Acme Garden</title>'
				);
				expect(text).toMatch(/<p class="home"><svg [\s\S]*<span>Acme Garden<\/span>/);
			});
		});

		describe('codes of letters and digits', () => alphanumericCodes(fixture));
		describe('the guides about pages and endpoints', () => guidePages(fixture));
		requestHeaders(fixture);
	},
	{},
	{ folder: alphanumericFolder }
);
