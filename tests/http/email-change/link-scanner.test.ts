import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { BuiltServer } from '../../support/process/built-server.ts';
import {
	bearer,
	call,
	me,
	newAddress,
	pairOf,
	rounds,
	signIn,
	times,
	whoIs,
	API,
	ME,
	type Answer,
	type SignedIn
} from '../../support/http/client.ts';
import {
	browserOf,
	changeLink,
	confirmLink,
	formKey,
	linkOutcome,
	pathOfLink,
	tokenOfLink,
	CHANGED,
	LANDING
} from '../../support/http/email-change.ts';
import { formsOf, tokenOf } from '../../support/http/browser.ts';
import type { Database, Row } from '../../support/http/database.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';
import { jarOf } from '../../support/http/cookie-jar.ts';

/** What mail gateways, previews and browsers do with a link before the user clicks it. */
const VISITS: Readonly<Record<string, { method: string; headers: OutgoingHttpHeaders }>> = {
	HEAD: { method: 'HEAD', headers: {} },
	GET: { method: 'GET', headers: {} },
	'GET by a preview': {
		method: 'GET',
		headers: { 'user-agent': 'Mozilla/5.0 (compatible; SkypeUriPreview)', accept: '*/*' }
	},
	prefetch: {
		method: 'GET',
		headers: {
			...{ 'sec-purpose': 'prefetch', purpose: 'prefetch', 'x-moz': 'prefetch' },
			...{ accept: 'text/html', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'none' }
		}
	},
	prerender: {
		method: 'GET',
		headers: {
			...{ 'sec-purpose': 'prefetch;prerender', accept: 'text/html' },
			...{ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
		}
	}
};

/** The cookies a scanner may have kept, as it would send them. */
type Jar = Map<string, string>;
const cookieOf = (jar: Jar): OutgoingHttpHeaders =>
	jar.size === 0 ? {} : { cookie: [...jar].map((pair) => pair.join('=')).join('; ') };
const jarFrom = (cookies: string): Jar =>
	new Map(cookies === '' ? [] : cookies.split('; ').map(pairOf));

const pathOf = (location: string, from: string): string => {
	const { pathname, search } = new URL(location, from);
	return pathname + search;
};

/** Opens a path and follows its redirects; returns every answer. */
const visit = async (
	server: BuiltServer,
	path: string,
	{ method, headers }: { readonly method: string; readonly headers: OutgoingHttpHeaders },
	jar: Jar
): Promise<readonly Answer[]> => {
	const answers: Answer[] = [];
	let next: string | undefined = path;
	while (next !== undefined && answers.length < 10) {
		const answer: Answer = await call(server, next, {
			method,
			headers: { ...headers, ...cookieOf(jar) }
		});
		answers.push(answer);
		for (const [name, value] of answer.setCookies.map(pairOf)) {
			if (value === '') jar.delete(name);
			else jar.set(name, value);
		}
		next = answer.headers.location && pathOf(answer.headers.location, server.address + next);
	}
	return answers;
};

onBothInLongForm((fixture) => {
	/** Every row of every table. */
	const stored = async (database: Database): Promise<Readonly<Record<string, readonly Row[]>>> => {
		const { user, session, verification, auth_throttle } = await database.dump();
		return {
			user: present(user),
			session: present(session),
			verification: present(verification),
			auth_throttle: present(auth_throttle)
		};
	};
	const paths = (link: string): readonly string[] => [
		pathOfLink(link),
		`${API}/verify-email?token=${tokenOfLink(link)}`,
		`${LANDING}/__data.json?token=${tokenOfLink(link)}`,
		`${pathOfLink(link)}&utm_source=mail`
	];
	const works = async (person: SignedIn, link: string, to: string): Promise<void> => {
		const form = await formKey(fixture.server);
		expect(linkOutcome(await confirmLink(fixture.server, form, person, link))).toBe(CHANGED);
		expect(await whoIs(fixture.server, bearer(person.token))).toBe(to);
	};

	describe.each(Object.entries(VISITS))('%s', (_, how) => {
		test.each([
			'no cookies',
			'the cookies of another user',
			'the cookies of the requesting user',
			'invalid cookies'
		])(
			'K01 by every path of the link with %s, following redirects: nothing changes, no session opens, and the link works afterwards',
			async (whose) => {
				const person = await signIn(fixture.server);
				const other = await signIn(fixture.server);
				const browser = browserOf(fixture.server, other);
				await browser.open('/auth/sign-in');
				const cookies = {
					'no cookies': '',
					'the cookies of another user': browser.cookies(),
					'the cookies of the requesting user': jarOf(person),
					'invalid cookies': `postern_session=${'A'.repeat(43)}; postern_link=${'B'.repeat(43)}; a=b`
				}[whose];
				const to = newAddress('new');
				const link = await changeLink(fixture.server, person, to);
				const before = await stored(fixture.database);
				const visits = times(rounds(1, 3), () => paths(link)).flat();
				for (const path of visits) {
					const jar = jarFrom(present(cookies));
					const answers = await visit(fixture.server, path, how, jar);
					expect(answers.map(({ status }) => status)).toEqual([
						...answers.slice(1).map(() => expect.toBeOneOf([302, 303])),
						200
					]);
					for (const { setCookies } of answers) {
						const names = setCookies.map((line) => pairOf(line)[0]);
						expect(names).not.toContain('postern_session');
						// Opening the link may refresh the cookies of a signed-in user.
						if (!/user/.test(whose)) expect(names).not.toContain('postern_cache');
					}
					const { text } = await call(fixture.server, ME, { headers: cookieOf(jar) });
					const { email = null } =
						(JSON.parse(text) as { user: { email: string } } | null)?.user ?? {};
					const theirs = {
						'the cookies of another user': other.email,
						'the cookies of the requesting user': person.email
					};
					expect(email).toBe(theirs[whose as keyof typeof theirs] ?? null);
				}
				expect(await stored(fixture.database)).toEqual(before);
				await works(person, link, to);
			}
		);
	});

	test('K01 a scanner that also submits the forms it finds spends nothing, opens no session and moves no account (supabase/auth#1214)', async () => {
		const person = await signIn(fixture.server);
		const other = await signIn(fixture.server);
		for (const whose of ['', jarOf(other)]) {
			const asker = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, asker, to);
			const users = await fixture.database.rows('select * from "user" order by id');
			const sessions = await fixture.database.rows('select * from session order by id');
			const jar = jarFrom(whose);
			const pages = await visit(fixture.server, pathOfLink(link), present(VISITS['GET']), jar);
			const page = present(pages.at(-1));
			const csrf = present(tokenOf(page.text));
			const actions = formsOf(page.text, LANDING)
				.map(({ action }) => action)
				// The page of a signed-in user also has two forms that sign out: that of every page, and the
				// one that leads to another account.
				.filter((action) => action.startsWith(LANDING) && !action.includes('switchAccount'));
			for (const action of [`${LANDING}?/confirm`, ...actions, `${LANDING}?/confirm`]) {
				const answer = await call(fixture.server, action, {
					method: 'POST',
					body: new URLSearchParams({ csrf }).toString(),
					headers: {
						...cookieOf(jar),
						accept: 'text/html',
						'content-type': 'application/x-www-form-urlencoded',
						origin: fixture.server.address
					}
				});
				expect([303, 400]).toContain(answer.status);
				expect(answer.setCookies.map((line) => pairOf(line)[0])).not.toContain('postern_session');
			}
			expect(await fixture.database.rows('select * from "user" order by id')).toEqual(users);
			expect(await fixture.database.rows('select * from session order by id')).toEqual(sessions);
			await works(asker, link, to);
		}
		expect(present(await me(fixture.server, bearer(person.token))).user['email']).toBe(
			person.email
		);
	});

	test('K01 scanners that open a used link have no effect either', async () => {
		const person = await signIn(fixture.server);
		const to = newAddress('new');
		const link = await changeLink(fixture.server, person, to);
		await works(person, link, to);
		const before = await stored(fixture.database);
		for (const how of Object.values(VISITS)) {
			for (const cookies of ['', jarOf(person)]) {
				const answers = await visit(fixture.server, pathOfLink(link), how, jarFrom(cookies));
				expect(answers.at(-1)?.status).toBe(200);
			}
		}
		expect(await stored(fixture.database)).toEqual(before);
	});
});
