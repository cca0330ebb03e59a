import { beforeAll, describe, expect, test } from 'vitest';
import { alphanumericFolder } from '../../support/build/alphanumeric.ts';
import { enterOnPage } from '../../support/http/account.ts';
import { formsOf, openBrowser, type Browser } from '../../support/http/browser.ts';
import { call, inBatches, newAddress, type Answer } from '../../support/http/client.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';
import { PLANTED_PAGE, REACHED } from '../../support/build/planted-routes.ts';

const TRUSTED = 'https://partner.example';

/** The page that a client claims; null for no header. */
const CLAIMS = [
	null,
	'/',
	'//docs',
	'/docs/__data.json',
	'/api/auth/sign-in/email-otp',
	'/healthz',
	PLANTED_PAGE,
	'/no-such-page',
	'/%zz'
];
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const PAYLOAD = JSON.stringify({ payload: '', refreshes: [], payloads: [''] });

/** How the framework's own client calls each kind of function. */
const KINDS = {
	read: { method: 'GET' },
	readOwn: { method: 'GET' },
	follow: { method: 'GET' },
	readMany: { method: 'POST', body: PAYLOAD, type: JSON_TYPE },
	change: { method: 'POST', body: PAYLOAD, type: JSON_TYPE }
} as const;

// A build with a remote function of every kind on a protected page.
onOneServer(
	(fixture) => {
		let signedIn: Browser;
		/** The path segment that all functions of the page share. */
		let hash = '';
		/** Where the page posts its remote form to without JavaScript. */
		let remoteForm = '';

		beforeAll(async () => {
			signedIn = openBrowser(fixture.server);
			await enterOnPage(fixture.server, signedIn, newAddress());
			const { text } = await signedIn.open(PLANTED_PAGE);
			const form = present(
				formsOf(text, PLANTED_PAGE).find(({ action }) => action.includes('remote'))
			);
			remoteForm = form.action.slice(form.action.indexOf('?'));
			const id = present(new URLSearchParams(remoteForm).get('/remote'));
			hash = present(id.split('/')[0]);
		});

		const pathOf = (name: string): string => `/_app/remote/${hash}/${name}`;
		const claim = (page: string | null): Readonly<Record<string, string>> =>
			page === null ? {} : { 'x-sveltekit-pathname': page, 'x-sveltekit-search': '?x=1' };
		const ownOrigin = (): Readonly<Record<string, string>> => ({ origin: fixture.server.address });

		const expectRefused = (answer: Answer, what: string): void => {
			expect([what, answer.text.includes(REACHED)]).toEqual([what, false]);
			// The server cannot decode one of the claimed paths.
			const expected = what.includes('%zz') ? 400 : 401;
			expect([what, answer.status]).toEqual([what, expected]);
		};

		describe('R09 a remote function refuses an unauthenticated client', () => {
			test.each([...Object.keys(KINDS), 'send', 'no-such-function'])(
				'%s, by any method and from any claimed page',
				async (name) => {
					const requests = CLAIMS.flatMap((page) => METHODS.map((method) => ({ page, method })));
					await inBatches(requests, 20, async ({ page, method }) => {
						const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
						const answer = await call(fixture.server, pathOf(name), {
							method,
							...(hasBody ? { body: PAYLOAD } : {}),
							headers: { 'content-type': JSON_TYPE, ...claim(page), ...ownOrigin() }
						});
						expectRefused(answer, `${method} ${name} from ${page}`);
					});
				}
			);

			test.each(['/', '/docs', '/auth/sign-in', PLANTED_PAGE])(
				'in a form without JavaScript that is posted to %s',
				async (page) => {
					for (const query of [remoteForm, remoteForm.replace('?', '?a=b&'), fullyEncoded()]) {
						const browser = openBrowser(fixture.server);
						const answer = await browser.post(`${page}${query}`, {});
						expect(answer.text).not.toContain(REACHED);
						expect([answer.status, answer.headers.location]).toEqual([
							303,
							`/auth/sign-in?redirectTo=${encodeURIComponent(page)}`
						]);
					}
				}
			);

			const fullyEncoded = (): string => remoteForm.replace('/remote', '%2Fremot%65');
		});

		describe('a remote function of a signed-in caller', () => {
			test.each(Object.entries(KINDS))('%s runs', async (name, { method, ...rest }) => {
				const answer = await call(fixture.server, pathOf(name), {
					method,
					...('body' in rest ? { body: rest.body } : {}),
					headers: {
						cookie: signedIn.cookies(),
						...('type' in rest ? { 'content-type': rest.type } : {}),
						...claim(PLANTED_PAGE),
						...ownOrigin()
					}
				});
				expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(REACHED)]);
			});

			test('send accepts no form without its token, whatever page the client claims (CVE-2026-22803)', async () => {
				for (const page of CLAIMS.filter((claimed) => claimed !== '/%zz')) {
					for (const type of [FORM_TYPE, 'application/x-sveltekit-formdata']) {
						const answer = await call(fixture.server, pathOf('send'), {
							method: 'POST',
							body: 'a=b',
							headers: {
								cookie: signedIn.cookies(),
								'content-type': type,
								...claim(page),
								...ownOrigin()
							}
						});
						expect([page, answer.status, answer.text.includes(REACHED)]).toEqual([
							page,
							403,
							false
						]);
					}
				}
			});

			test('a change from another origin is refused, a trusted one included', async () => {
				for (const origin of [{}, { origin: TRUSTED }, { origin: 'null' }]) {
					for (const page of [null, '/api/auth/sign-in/email-otp']) {
						const answer = await call(fixture.server, pathOf('change'), {
							method: 'POST',
							body: PAYLOAD,
							headers: {
								cookie: signedIn.cookies(),
								'content-type': JSON_TYPE,
								...claim(page),
								...origin
							}
						});
						expect([answer.status, answer.text.includes(REACHED)]).toEqual([403, false]);
					}
				}
			});
		});
	},
	{ AUTH_TRUSTED_ORIGINS: TRUSTED },
	{ folder: alphanumericFolder }
);
