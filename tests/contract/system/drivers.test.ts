import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { argon2CodeHasher } from '#lib/adapters/crypto/argon2-code-hasher.ts';
import { aesSealer } from '#lib/adapters/crypto/aes-sealer.ts';
import { hmacSecretHasher, hmacSigner } from '#lib/adapters/crypto/hmac.ts';
import { deriveKeys, type KeyRing } from '#lib/adapters/crypto/keys.ts';
import { consoleMailer } from '#lib/adapters/mail/console-mailer.ts';
import {
	countingIds,
	fixedClock,
	plainCodeHasher,
	plainSecretHasher,
	restlessPacer,
	scriptedRandom
} from '../../support/memory/drivers.ts';
import { memoryMailer } from '../../support/memory/mailer.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { processLog, type Output } from '#lib/adapters/system/process-log.ts';
import { systemPacer } from '#lib/adapters/system/system-pacer.ts';
import { systemClock, systemRandom, uuidIds } from '#lib/adapters/system/system.ts';
import type { Email } from '#lib/domain/email.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { NO_UNDO } from '#lib/domain/mail.ts';
import type { Code } from '#lib/domain/secret.ts';
import type { BoundCode } from '#lib/domain/sign-in/ports.ts';
import { clockContract } from './clock.contract.ts';
import { codeHasherContract } from '../sign-in/code-hasher.contract.ts';
import { domainNamesContract } from './domain-names.contract.ts';
import { idsContract } from './ids.contract.ts';
import { exampleMails as examples, EXAMPLE_TOKEN as TOKEN } from '../../support/mail/examples.ts';
import { mailerContract } from '../delivery/mailer.contract.ts';
import { pacerContract } from './pacer.contract.ts';
import { randomContract } from './random.contract.ts';
import { sealerContract } from './sealer.contract.ts';
import { secretHasherContract } from './secret-hasher.contract.ts';
import { signerContract } from './signer.contract.ts';

/** The keys of a purpose, the newest secret first. */
const ring = (secrets: readonly string[], purpose: string): KeyRing =>
	deriveKeys(secrets[0] ?? '', secrets.slice(1), purpose);
const hex = (secret: string, purpose: string): string =>
	ring([secret], purpose)[0].export().toString('hex');

codeHasherContract('argon2', (...keys) => argon2CodeHasher(ring(keys, 'code')));
codeHasherContract('plain', plainCodeHasher);

secretHasherContract('hmac', (...keys) => hmacSecretHasher(ring(keys, 'token-hash')));
secretHasherContract('plain', plainSecretHasher);
sealerContract('aes', (...keys) => aesSealer(ring(keys, 'cookie-seal')));
signerContract('hmac', (...keys) => hmacSigner(ring(keys, 'form-signature')));

mailerContract('console', () => {
	const lines: string[] = [];
	return {
		mailer: consoleMailer('https://auth.example.org', (line) => lines.push(line), false),
		arrived: () => lines,
		failing: { not_sent: null, rejected: null, bounced: null, unknown: null, busy: null }
	};
});
mailerContract('memory', () => {
	const mailer = memoryMailer();
	return {
		mailer,
		arrived: () => mailer.mails.map((mail) => JSON.stringify(mail)),
		failing: {
			not_sent: 'bounces@example.test' as Email,
			rejected: 'rejected@example.test' as Email,
			bounced: 'nobody@example.test' as Email,
			unknown: 'slow@example.test' as Email,
			busy: 'busy@example.test' as Email
		}
	};
});

clockContract('system', systemClock);
clockContract('fixed', fixedClock);
randomContract('system', systemRandom);
randomContract('scripted', scriptedRandom);
idsContract('uuid', uuidIds);
idsContract('counting', countingIds);
domainNamesContract('node', nodeDomainNames);

pacerContract('system', systemPacer);
pacerContract('restless', () => restlessPacer);

describe('the pause of the system pacer', () => {
	afterEach(() => {
		vi.useRealTimers();
	});

	it.each([
		{ took: 40, pause: 200 },
		{ took: 0, pause: 10 }
	])('after a piece of $took ms is $pause ms', async ({ took, pause }) => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
		let given: string | null = null;
		const result = systemPacer()
			.paced(async () => {
				await vi.advanceTimersByTimeAsync(took);
				return 'done';
			})
			.then((result) => (given = result));
		await vi.advanceTimersByTimeAsync(pause - 1);
		expect(given).toBeNull();
		await vi.advanceTimersByTimeAsync(1);
		expect(await result).toBe('done');
	});
});

describe('keys', () => {
	const purposes = ['code', 'token-hash', 'cookie-seal', 'form-signature'];

	it('N02: are separate for each purpose and each secret, 256 bits, and deterministic', () => {
		const keys = ['a secret', 'another secret'].flatMap((secret) =>
			purposes.map((purpose) => hex(secret, purpose))
		);
		expect(new Set(keys).size).toBe(8);
		expect(keys.every((key) => key.length === 64)).toBe(true);
		expect(hex('a secret', 'code')).toBe(keys[0]);
	});

	it('N02: the keys of earlier secrets follow the current one, in their order', () => {
		const secrets = ['new', 'old', 'older'];
		const keys = secrets.flatMap((secret) => ring([secret], 'code'));
		expect(ring(secrets, 'code')).toEqual(keys);
	});

	it('are HKDF-SHA-256 (RFC 5869) of the secret, so that a rewrite keeps every session', () => {
		// Fixed outputs: a change of label, salt or length would sign everybody out.
		expect(purposes.map((purpose) => hex('a secret', purpose))).toMatchInlineSnapshot(`
			[
			  "3356154479610e35dae3a5b24d9bba336a63a37c262ec1bf818a66f2ab94ce25",
			  "bb42602a1109ffac5951c994a11761da26f40d7efeed6824df647a526285cd02",
			  "1d1f764cc44e353e06140e97cbd72d473bd9e03d82faa61aae87158fe6b480b7",
			  "f8d8af2984bd9cd6f927a4f4ff823add140dce0d846ced5f88d58603c49f2a1c",
			]
		`);
	});
});

describe('the argon2 code hasher', () => {
	it('A18: writes Argon2id hashes of the configured cost with a salt of their own', async () => {
		const bound: BoundCode = {
			purpose: 'sign_in',
			email: 'ada@example.com' as Email,
			boundTo: null,
			code: '012345' as Code
		};
		const hash = await argon2CodeHasher(ring(['a secret'], 'code')).hash(bound);
		expect(hash).toMatch(
			/^\$argon2id\$v=19\$m=1024,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/
		);
	});
});

describe('the console mailer', () => {
	it('writes exactly one line for an email outside a terminal', async () => {
		const lines: string[] = [];
		const mailer = consoleMailer('http://localhost:3000', (line) => lines.push(line), false);
		const kinds = Object.keys(examples) as (keyof typeof examples)[];
		for (const kind of kinds) await mailer.send(examples[kind]);
		const notice = { ...examples.email_change_notice, ...NO_UNDO };
		await mailer.send({ ...notice, stage: 'requested' });
		await mailer.send(notice);
		await mailer.send({ ...examples.email_change_link, callbackUrl: null });
		expect(lines).toEqual([
			'[postern] sign-in code for ada@example.com: 012345',
			'[postern] email-verification code for ada@example.com: 012346',
			'[postern] email-change code for grace@example.net: 012347',
			`[postern] email-change link for grace@example.net: http://localhost:3000/auth/verify-email?token=${TOKEN}&next=L2FwcD9hPTEmYj0y`,
			'[postern] reauthentication code for ada@example.com: 012348',
			`[postern] email-change notice for ada@example.com: completed, undo with http://localhost:3000/auth/undo-email-change/undo.${TOKEN}`,
			'[postern] email-change-undone notice for grace@example.net',
			'[postern] account-deleted mail for ada@example.com',
			`[postern] new-device notice for ada@example.com: http://localhost:3000/auth/new-device/session.device.${TOKEN}`,
			'[postern] operator email-change code for grace@example.net: 012349',
			`[postern] operator email-change notice for ada@example.com: http://localhost:3000/auth/undo-email-change/undo.${TOKEN}`,
			'[postern] welcome mail for ada@example.com',
			'[postern] email-change notice for ada@example.com: requested',
			'[postern] email-change notice for ada@example.com: completed',
			`[postern] email-change link for grace@example.net: http://localhost:3000/auth/verify-email?token=${TOKEN}`
		]);
	});

	it('sets the lines with a code or a link apart in a terminal', async () => {
		const lines: string[] = [];
		const mailer = consoleMailer('http://localhost:3000', (line) => lines.push(line), true);
		await mailer.send(examples.sign_in_code);
		await mailer.send(examples.email_change_link);
		await mailer.send(examples.welcome);
		await mailer.send(examples.email_change_notice);
		await mailer.send({ ...examples.email_change_notice, ...NO_UNDO });
		const undo = `http://localhost:3000/auth/undo-email-change/undo.${TOKEN}`;
		const link = `http://localhost:3000/auth/verify-email?token=${TOKEN}&next=L2FwcD9hPTEmYj0y`;
		expect(lines).toEqual([
			'\n[postern] sign-in code for ada@example.com: 012345\n',
			`\n[postern] email-change link for grace@example.net: ${link}\n`,
			'[postern] welcome mail for ada@example.com',
			`\n[postern] email-change notice for ada@example.com: completed, undo with ${undo}\n`,
			'[postern] email-change notice for ada@example.com: completed'
		]);
	});
});

describe('the log in a terminal', () => {
	const aTerminal = () => Object.assign(new PassThrough(), { isTTY: true, fd: 1 });
	const logged = (omitsRequests: boolean): string => {
		const output = aTerminal();
		const log = processLog(output as unknown as Output, omitsRequests);
		const about = { requestId: 'one', client: '192.0.2.1', via: '/auth/sign-in' };
		log.event('code_requested', { ...about, outcome: 'ok', email: 'a***@example.com' });
		log.event('workers_started', { count: 2 });
		const request = { method: 'POST', route: '/auth/sign-in', status: 303, milliseconds: 9 };
		log.event('request', { ...about, ...request });
		log.event('request', { ...about, ...request, requestId: 'two' });
		return stripVTControlCharacters(String(output.read())).replace(/^[\d:]{8} /gm, '');
	};

	it('is one line for each request, with what it did', () => {
		expect(logged(false)).toBe(
			[
				'workers_started 2',
				'POST /auth/sign-in 303 9 ms code_requested ok a***@example.com',
				'POST /auth/sign-in 303 9 ms',
				''
			].join('\n')
		);
	});

	it('keeps few events that no line of a request follows', () => {
		const output = aTerminal();
		const log = processLog(output as unknown as Output);
		for (let id = 0; id < 1_001; id += 1) log.event('late', { requestId: `${id}` });
		const request = { method: 'GET', status: 200, milliseconds: 1 };
		for (const requestId of ['0', '1000']) log.event('request', { requestId, ...request });
		expect(String(output.read()).match(/late/g)).toHaveLength(1);
	});

	it('has the message of a store fault without its stack', () => {
		const output = aTerminal();
		processLog(output as unknown as Output).fault('GET /', new StoreUnavailable('busy'));
		expect(String(output.read())).toMatch(/ fault in GET \/ store unavailable \(busy\)\n$/);
	});

	it('leaves the requests to a server that prints them', () => {
		expect(logged(true)).toBe('code_requested ok a***@example.com\nworkers_started 2\n');
	});
});

describe('the system clock', () => {
	it('returns the time of the machine', () => {
		const before = Date.now();
		const now = systemClock().now().getTime();
		expect(now).toBeGreaterThanOrEqual(before);
		expect(now).toBeLessThanOrEqual(Date.now());
	});
});
