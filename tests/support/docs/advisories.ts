/**
 * What went wrong in programs like this one, and the test that would catch it here.
 * dev/list-advisories.ts creates the table in docs/advisories.md from this list;
 * tests/arch/advisories.test.ts checks that every named test exists.
 */
export interface Advisory {
	readonly source: string;
	readonly ids: readonly string[];
	readonly cause: string;
	readonly answer: Covered | NotApplicable;
}
/** A test file, and words of the title of the test in it. */
type Covered = readonly [file: string, title: string];
interface NotApplicable {
	readonly not: string;
}

const FEDERATED = { not: 'no OAuth, OIDC, SSO, SCIM or MCP' } as const;

const own = (title: string): Covered => ['tests/http/security/advisories.test.ts', title];
const http = (name: string, title: string): Covered => [`tests/http/${name}.test.ts`, title];
const web = (name: string, title: string): Covered => [`tests/web/${name}.test.ts`, title];

type Row = readonly [ids: string, cause: string, answer: Advisory['answer']];
const of = (source: string, rows: readonly Row[]): readonly Advisory[] =>
	rows.map(([ids, cause, answer]) => ({ source, ids: ids.split(', '), cause, answer }));

export const advisories: readonly Advisory[] = [
	...of('better-auth', [
		[
			'CVE-2025-61928',
			'the acting user was taken from the body',
			http('sessions/sessions', 'E23 O08 no id')
		],
		[
			'GHSA-x732-6j76-qmhm',
			'another spelling of a path escaped the limit',
			web('limits/route-limits', 'B09: another spelling of a path')
		],
		[
			'GHSA-xg6x-h9c9-2m83',
			'session cache filled before sign-in was complete',
			own('GHSA-xg6x-h9c9-2m83')
		],
		[
			'CVE-2026-45364, GHSA-p6v2-xcpg-h6xw',
			'limits keyed on the text of an IPv6 address',
			web('limits/client-address', 'J05: all of one /64')
		],
		[
			'GHSA-hc7v-rggr-4hvx, GHSA-hc7v-x88r-fmh4',
			'one-time token consumed more than once',
			http('sign-in/codes', 'A03 of an existing user')
		],
		[
			'GHSA-2vg6-77g8-24mp',
			'sessions outlived the account',
			http(
				'account/deletion',
				'E15 deletion removes the sessions, codes and pending changes of the account'
			)
		],
		[
			'GHSA-g38m-r43w-p2q7',
			'account linked to an unverified address',
			http('sign-in/codes', 'A04 of a new address')
		],
		[
			'CVE-2026-45337, GHSA-cq3f-vc6p-68fh',
			'pending code not bound to its owner',
			http('sign-in/web-flow', 'another client cannot use even the right code')
		],
		[
			'GHSA-7w99-5wm4-3g79, GHSA-392p-2q2v-4372',
			'found, then deleted: a code used twice at once',
			http('sign-in/codes', 'A03 of an existing user')
		],
		[
			'GHSA-fmh4-wcc4-5jm3',
			'accepted without proof of owning the address',
			http(
				'email-change/email-change',
				'K13 success by bearer and by cookie, and nothing changes before it is confirmed'
			)
		],
		[
			'CVE-2026-41427, GHSA-xr8f-h2gw-9xh6, GHSA-jmcv-4jfc-6qqj',
			'a second way in without the gate of the first',
			http('security/route-protection', 'E21 every route of the build')
		],
		['GHSA-wmjr-v86c-m9jj', 'sign-out trusted unsigned cookie values', own('GHSA-wmjr-v86c-m9jj')],
		[
			'GHSA-4vcf-q4xf-f48m',
			'deleted by id without asking whose it is',
			http('sessions/sessions-list', 'E20 1,000 handles of another account have no effect')
		],
		[
			'GHSA-h3rm-78g3-j7cp',
			'one id authorised, another one acted on',
			http('sessions/sessions', 'E23 O08 no id')
		],
		[
			'GHSA-737v-mqg7-c878',
			'prototype pollution by user data',
			http('api/bad-input', 'O02 names of Object.prototype')
		],
		[
			'GHSA-8c5h-wx78-2cfg',
			'proof applied after what it proves had changed',
			web('email-change/change-by-link', 'K04 after the account moved by other means')
		],
		[
			'GHSA-phx7-w8x2-3xgf',
			'unverified claim of a domain believed',
			http('sign-in/addresses', 'I02 I07 input that is not exactly one')
		],
		[
			'GHSA-86j7-9j95-vpqj, GHSA-9h47-pqcx-hjr4, GHSA-pw9m-5jxm-xr6h, GHSA-p2fr-6hmx-4528',
			'OIDC and MCP redirects, refresh, audience',
			FEDERATED
		],
		[
			'GHSA-5rr4-8452-hf4v, GHSA-gv74-j8m3-fg5f, GHSA-j8v8-g9cx-5qf4',
			'SSO and SCIM registration',
			FEDERATED
		],
		[
			'CVE-2024-56734, CVE-2025-27143, CVE-2025-53535, GHSA-vp58-j275-797x',
			'redirect to another site, loosely matched origins',
			http('security/redirects', 'H01 H05 H06 the target is checked again')
		],
		[
			'GHSA-569q-mpph-wgww',
			'the first request decided the base address',
			http(
				'security/origin',
				'F14 the server does not keep the host that the first request claimed'
			)
		]
	]),
	...of('Auth.js', [
		[
			'CVE-2022-35924, GHSA-xv97-c62v-4587',
			'a list of addresses: both got the link',
			http('sign-in/addresses', 'I02 I07 input that is not exactly one')
		],
		[
			'CVE-2022-31127, GHSA-pgjx-7f9g-9463',
			'HTML of an address shown in the mail',
			web('delivery/templates', 'L01: a hostile site name is text')
		],
		[
			'GHSA-7rqj-j65f-68wh',
			'validated before normalising: full-width @',
			http('sign-in/addresses', 'I02 I07 input that is not exactly one')
		],
		[
			'GHSA-5jpx-9hw9-2fx4',
			'a quoted local part moved the domain',
			http('sign-in/addresses', 'I02 I07 input that is not exactly one')
		],
		[
			'GHSA-xmf8-cvqr-rfgj',
			'`Bearer %` threw',
			http('sessions/sessions', 'E16 every other Authorization header')
		],
		[
			'GHSA-8fpg-xm3f-6cx3',
			'an error counted as a user',
			http('operations/faults', 'E22 M08 P04 protected pages')
		],
		[
			'GHSA-x445-f3h2-j279',
			'check cookie not bound to its flow',
			http('sign-in/web-flow', 'a browser whose cookie names no live code')
		],
		[
			'CVE-2022-31093, GHSA-g5fm-jp9v-2432',
			'a malformed redirect hung the handler',
			own('CVE-2022-31093')
		]
	]),
	...of('Supabase Auth', [
		[
			'GHSA-3529-5m8x-rpv3',
			'X-Forwarded-Host chose the host of links',
			http('security/origin', 'F14 Host and forwarded headers')
		],
		[
			'supabase/auth#2612',
			'read, validated, deleted without a lock',
			http('sign-in/codes', 'A03 of an existing user')
		],
		[
			'supabase/auth#2600',
			'an unrelated flag shortened the email change',
			web('email-change/email-change-settings', 'K18 by code the address is changed as before')
		],
		[
			'supabase/auth#1214',
			'mail scanners spent the link',
			http(
				'email-change/link-scanner',
				'K01 a scanner that also submits the forms it finds spends nothing'
			)
		],
		['CVE-2026-31813', 'issuer of ID tokens not pinned', FEDERATED]
	]),
	...of('Ory Kratos, Hanko, PocketBase', [
		[
			'HackerOne#3692149, HackerOne#3695625',
			'two successes under READ COMMITTED',
			http('sign-in/codes', 'A03 of an existing user')
		],
		[
			'Hanko 27d8fdd5',
			'forwarded-for headers of clients trusted',
			web('limits/client-address', 'J01: a thousand headers')
		],
		[
			'pocketbase#7662',
			'an attacker created the account first',
			{ not: 'only a code that the owner received creates an account' }
		]
	]),
	...of('authentik', [
		[
			'CVE-2024-47070',
			'an unreadable forwarded-for skipped the check',
			web('limits/client-address', 'J04: %s counts for the peer')
		],
		[
			'CVE-2023-26481',
			'recovery token not bound to its user',
			http('sign-in/codes', 'A11 a code used for another address')
		],
		[
			'CVE-2023-39522',
			'accounts enumerated',
			http('sign-in/web-flow', 'C01 requesting and guessing look the same')
		],
		[
			'CVE-2024-52289',
			'origins matched as regular expressions',
			http('security/origin', 'F05 only exact origins pass')
		],
		[
			'CVE-2024-52307',
			'secret compared in varying time',
			['tests/arch/secrets.test.ts', 'A19: no secret is compared']
		],
		[
			'CVE-2026-49443, CVE-2026-54730',
			'an empty submission passed',
			http('sign-in/codes', 'A14 a request without address or code')
		],
		[
			'CVE-2025-53942',
			'half signed in with a deactivated account',
			http(
				'account/deletion',
				'E15 a concurrent deletion and sign-in leave no session of a deleted account'
			)
		],
		[
			'CVE-2026-55106',
			'a debug endpoint without a guard',
			http(
				'security/route-protection',
				'E21 no unlisted route responds to an unauthenticated request'
			)
		],
		[
			'CVE-2022-46172',
			'someone signed in drove the sign-up flow',
			http('sign-in/web-flow', 'someone signed in is redirected')
		]
	]),
	...of('Keycloak', [
		[
			'CVE-2024-1722',
			'a limit overrun in a race',
			http('sign-in/codes', 'B01 of 100 concurrent requests')
		],
		['CVE-2026-9798', 'lockout left out a second channel', own('CVE-2026-9798')],
		[
			'CVE-2026-9087',
			'proof not bound to what it proved',
			http('sign-in/codes', 'A11 a code used for another address')
		],
		[
			'GHSA-xhpr-465j-7p9q',
			'the mail did not say whose change it confirms',
			web('delivery/templates', 'K17: the %s names the requesting account, and warns')
		]
	]),
	...of('Devise and other gems', [
		[
			'CVE-2026-32700',
			'two changes at once split token from address',
			http('email-change/email-change-races', 'K06 two concurrent requests over two processes')
		],
		[
			'CVE-2019-5421',
			'counter of failures raced',
			http('sign-in/codes', 'A01 of 200 concurrent wrong guesses')
		],
		[
			'CVE-2019-16109',
			'a blank token matched a blank row',
			http('sign-in/codes', 'A14 no code matches a row with an empty')
		],
		[
			'CVE-2015-8314',
			'one cookie for all devices',
			http('sessions/sessions', 'E03 signing in again')
		],
		[
			'CVE-2013-0233',
			'types confused in a lookup',
			http('sign-in/codes', 'A13 a value that is not a string')
		],
		[
			'CVE-2026-40295',
			'redirect to the Referer',
			http('sign-in/web-flow', 'H06 a local redirectTo')
		],
		[
			'CVE-2015-7225, CVE-2021-43177',
			'a code worked again in its window',
			http('sign-in/codes', 'A03 of an existing user')
		],
		[
			'CVE-2021-23435',
			'`/////host` as a redirect',
			web('security/safe-path', 'H01: %j is refused')
		],
		[
			'CVE-2015-9097, GHSA-mvxr-6m87-mv2q',
			'line breaks in an address',
			http('sign-in/addresses', 'I02 I07 input that is not exactly one')
		]
	]),
	...of('nodemailer', [
		[
			'CVE-2025-13033, GHSA-mm7p-fcc7-pg87',
			'a quoted local part delivered elsewhere',
			http('sign-in/addresses', 'I02 I07 input that is not exactly one')
		],
		[
			'CVE-2025-14874',
			'nested groups overflowed the stack',
			http('sign-in/addresses', 'I02 I07 input that is not exactly one')
		],
		[
			'GHSA-vvjj-xcjg-gr5g',
			'line breaks in the transport’s name',
			['tests/contract/delivery/smtp-mailer.test.ts', 'L04: has headers fixed']
		],
		[
			'GHSA-9h6g-pr28-7cqp',
			'slow regular expressions',
			http('sign-in/addresses', 'I09 a text of 60 KB')
		]
	]),
	...of('SvelteKit and Svelte', [
		[
			'CVE-2023-29003, GHSA-5p75-vc5g-8rv2',
			'text/plain and other methods not checked for origin',
			own('CVE-2023-29003')
		],
		[
			'CVE-2023-29008, GHSA-gv7g-x59x-wf8f',
			'an upper case content type passed',
			own('CVE-2023-29008')
		],
		['sveltejs/kit#16347', 'a form without a content type passed', own('sveltejs/kit#16347')],
		[
			'sveltejs/kit#16313',
			'checks off unless NODE_ENV is production',
			http('security/gate', 'F11 with NODE_ENV=')
		],
		[
			'CVE-2025-32388',
			'names of search parameters not escaped',
			http('api/bad-input', 'L03 hostile paths')
		],
		['CVE-2026-22803', 'binary forms allocated any amount of memory', own('CVE-2026-22803')],
		[
			'CVE-2026-40073',
			'no limit on chunked bodies',
			http('api/bad-input', 'O01 a body over 64 KiB')
		],
		['sveltejs/kit@10d7b44425', 'an invalid redirect crashed', own('CVE-2022-31093')],
		[
			'sveltejs/kit@d9ae9b00b1',
			'protocol, host and port headers injected',
			own('sveltejs/kit@d9ae9b00b1')
		],
		[
			'sveltejs/kit@82712fc02c',
			'quadratic Accept header',
			http('api/bad-input', 'O05 unusual headers cause no errors')
		],
		[
			'sveltejs/kit@dadaefc2e6',
			'responses were mixed up between requests',
			own('sveltejs/kit@dadaefc2e6')
		],
		[
			'sveltejs/kit#16072, sveltejs/kit#16612, sveltejs/kit#16218',
			'names of Object.prototype as actions',
			http('api/bad-input', 'O02 names of Object.prototype')
		],
		['CVE-2024-23641', 'a body on GET crashed', http('api/protocol', 'a GET with a body')],
		[
			'CVE-2024-53261, CVE-2024-53262',
			'scripts in error pages',
			http('api/bad-input', 'L03 hostile paths')
		],
		[
			'CVE-2025-67647',
			'prerendering requested other hosts',
			{ not: 'nothing is prerendered, and Host is never trusted' }
		],
		[
			'CVE-2025-57820, CVE-2026-22774, CVE-2026-22775',
			'devalue: pollution, and work without bounds',
			own('CVE-2025-57820')
		]
	])
];
