import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
	certificates,
	fetchText,
	isSignedWith,
	signedText,
	snsMessage
} from '#lib/adapters/web/delivery/sns.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { report, sendCode } from './sent-code.ts';
import { aNotification, CERTIFICATE, CONFIRM, openSns, SNS, TOPIC } from './sns.ts';
import { fixedClock } from '../../support/memory/drivers.ts';
import { aSite } from '../../support/web/site.ts';

const TEXT = { 'content-type': 'text/plain; charset=UTF-8' };

const sns = await openSns(fixedClock().now());

/** A site that gets bounces by SES. It has fetched nothing yet. */
const aSesSite = async () => {
	sns.fetched.length = 0;
	sns.meet(async () => sns.cert);
	const site = await aSite({ EMAIL_HOOK_SES: TOPIC }, { fetchText: sns.fetchText });
	const send = async (body: string): Promise<number> =>
		(await report(site, 'ses', body, TEXT)).status;
	return { site, send };
};

describe('a notification of SES', () => {
	test.each([
		['a bounce', 'Bounce', 'Permanent', 'mail_bounced', true],
		['a temporary bounce', 'Bounce', 'Transient', undefined, false],
		['a complaint', 'Complaint', '', 'mail_complained', false],
		['an earlier complaint', 'Complaint', 'OnAccountSuppressionList', 'mail_bounced', true]
	] as const)('is found by the Message-ID among its headers: %s', async (...row) => {
		const [, kind, type, name, isBounced] = row;
		// Events of a configuration set have another name for it.
		for (const field of ['notificationType', 'eventType']) {
			const { site, send } = await aSesSite();
			const code = await sendCode(site);
			const text = aNotification(kind, code.email, code.name, site.clock.now(), type);
			const Message = text.replace('notificationType', field);
			expect(await send(sns.signed({ Message, Subject: 'Amazon SES' }))).toBe(200);
			expect(await code.isBounced()).toBe(isBounced);
			const logged = site.log.filter(({ provider }) => provider === 'ses');
			expect(logged.map((line) => line.name)).toEqual(name === undefined ? [] : [name]);
			expect(sns.fetched).toEqual([CERTIFICATE]);
		}
	});

	test('is signed over its fields in the order of Amazon', () => {
		const common = JSON.parse(sns.signed({})) as { readonly MessageId: string };
		const signed = signedText(snsMessage.parse({ ...common, Timestamp: 'now' }));
		expect(signed).toBe(
			`Message\n{}\nMessageId\n${common.MessageId}\nTimestamp\nnow\nTopicArn\n${TOPIC}\nType\nNotification\n`
		);
	});

	test.each([
		['a test of Amazon', () => 'Successfully validated SNS topic'],
		['without headers', (text: string) => text.replace('headers', 'others')],
		['without a Message-ID', (text: string) => text.replace('Message-ID', 'Reply-To')],
		['without the bounce', (text: string) => text.replace('"bounce"', '"other"')],
		['of another kind', (text: string) => text.replace('"Bounce"', '"Delivery"')],
		['a complaint without details', (text: string) => text.replace('"Bounce"', '"Complaint"')]
	])('is accepted without an effect: %s', async (_what, change) => {
		const { site, send } = await aSesSite();
		const code = await sendCode(site);
		const Message = change(aNotification('Bounce', code.email, code.name, site.clock.now()));
		expect(await send(sns.signed({ Message }))).toBe(200);
		expect(await code.isBounced()).toBe(false);
	});

	test('fetches the certificate once, also for many at the same time', async () => {
		const { send } = await aSesSite();
		const statuses = await Promise.all(Array.from({ length: 5 }, () => send(sns.signed({}))));
		expect([...statuses, await send(sns.signed({}))]).toEqual(Array(6).fill(200));
		expect(sns.fetched).toEqual([CERTIFICATE]);
	});
});

describe('a message that did not come through the configured topic', () => {
	const other = (host: string): string => CERTIFICATE.replace('sns.eu-west-1.amazonaws.com', host);

	test.each([
		['another topic', { TopicArn: `${TOPIC}2` }],
		['a signature with SHA-1', { SignatureVersion: '1' }],
		['a certificate of another host', { SigningCertURL: other('sns.eu-west-1.evil.example') }],
		['of another service', { SigningCertURL: other('s3.eu-west-1.amazonaws.com') }],
		['of a bucket', { SigningCertURL: other('sns.eu-west-1.amazonaws.com.evil.example') }],
		['of another region', { SigningCertURL: other('sns.us-east-1.amazonaws.com') }],
		['of another port', { SigningCertURL: other('sns.eu-west-1.amazonaws.com:8443') }],
		['with a user name', { SigningCertURL: other('sns.eu-west-1.amazonaws.com@evil.example') }],
		['with a user', { SigningCertURL: other('a@sns.eu-west-1.amazonaws.com') }],
		['with a password', { SigningCertURL: other(':b@sns.eu-west-1.amazonaws.com') }],
		['without TLS', { SigningCertURL: CERTIFICATE.replace('https', 'http') }],
		['of a file', { SigningCertURL: 'file:///etc/passwd' }],
		['of another path', { SigningCertURL: `${SNS}/x/../x.pem` }],
		['with a query', { SigningCertURL: `${CERTIFICATE}?x=.pem` }],
		['with a fragment', { SigningCertURL: `${CERTIFICATE}#x` }],
		['with more after it', { SigningCertURL: `${CERTIFICATE}.txt` }],
		['in a folder', { SigningCertURL: other('sns.eu-west-1.amazonaws.com/x') }]
	])('is refused before anything is fetched: %s', async (_what, fields) => {
		const { send } = await aSesSite();
		expect(await send(sns.signed(fields))).toBe(401);
		expect(sns.fetched).toEqual([]);
	});

	test('is refused if its text was changed, or another key signed it', async () => {
		const { site, send } = await aSesSite();
		const body = sns.signed({ Message: 'one' });
		expect(await send(body.replace('"one"', '"two"'))).toBe(401);
		const stranger = await openSns(site.clock.now());
		expect(await send(stranger.signed({}))).toBe(401);
	});

	test('is accepted for an hour, and five minutes before its time if clocks differ', async () => {
		const { site, send } = await aSesSite();
		const statusAfter = (seconds: number) =>
			send(sns.signed({ Timestamp: secondsAfter(site.clock.now(), -seconds).toISOString() }));
		const statuses = [3601, 3600, 0, -300, -301].map(statusAfter);
		expect(await Promise.all(statuses)).toEqual([401, 200, 200, 200, 401]);
	});

	test('is refused before and after the time of its certificate', () => {
		const certificate = new X509Certificate(sns.cert);
		const { validFromDate: from, validToDate: to } = certificate;
		const message = snsMessage.parse(JSON.parse(sns.signed({})));
		const times = [secondsAfter(from, -1), from, to, secondsAfter(to, 1)];
		const valid = times.map((now) => isSignedWith(message, certificate, now));
		expect(valid).toEqual([false, true, true, false]);
	});

	test.each(['', '[]', '{"Type":"Notification"}', '{"Type":"Other"}'])(
		'is unreadable: %j',
		async (body) => {
			const { send } = await aSesSite();
			expect(await send(body)).toBe(400);
			expect(sns.fetched).toEqual([]);
		}
	);
});

describe('the certificates', () => {
	const named = (digit: number): string =>
		`${SNS}/SimpleNotificationService-${String(digit).padStart(32, '0')}.pem`;

	test('are fetched one at a time: forged names cannot start many requests', async () => {
		const { send } = await aSesSite();
		await send(sns.signed({}));
		let release = (): void => undefined;
		sns.meet(() => new Promise((done) => (release = () => done(sns.cert))));
		const first = send(sns.signed({ SigningCertURL: named(1) }));
		for (let digit = 2; digit < 10; digit += 1) {
			expect(await send(sns.signed({ SigningCertURL: named(digit) }))).toBe(503);
		}
		expect(await send(sns.signed({}))).toBe(200);
		release();
		expect(await first).toBe(200);
		expect(sns.fetched).toEqual([CERTIFICATE, named(1)]);
	});

	test('are kept for the last eight names', async () => {
		sns.meet(async () => sns.cert);
		const certificateAt = certificates(sns.fetchText);
		for (const digit of [1, 2, 3, 4, 5, 6, 7, 8, 1, 9, 2, 1]) {
			expect(await certificateAt(new URL(named(digit)))).toBeInstanceOf(X509Certificate);
		}
		expect(sns.fetched.slice(-10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1].map(named));
	});

	test('are fetched again after a failure, so that the message can be sent again', async () => {
		const { send } = await aSesSite();
		sns.meet(() => Promise.reject(new Error('no network')));
		expect(await send(sns.signed({}))).toBe(503);
		sns.meet(async () => 'not a certificate');
		expect(await send(sns.signed({}))).toBe(503);
		sns.meet(async () => sns.cert);
		expect(await send(sns.signed({}))).toBe(200);
	});
});

describe('a text of Amazon', () => {
	const server = createServer((request, response) => {
		const [, status = '', bytes] = request.url?.split('/') ?? [];
		response.writeHead(Number(status), { location: '/200/1' }).end('x'.repeat(Number(bytes)));
	});
	beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
	afterAll(() => server.close());

	test.each([
		['200/0', ''],
		['200/65536', 'x'.repeat(65_536)],
		['200/65537', Error('127.0.0.1 sent more than 65536 bytes')],
		['503/1', Error('127.0.0.1 answered 503')],
		['302/1', TypeError('fetch failed')]
	])('is read up to 64 KiB, without redirects: %s', async (path, text) => {
		const { port } = server.address() as AddressInfo;
		const read = await fetchText(new URL(`http://127.0.0.1:${port}/${path}`)).catch(String);
		expect(read).toBe(String(text).replace('127.0.0.1', `127.0.0.1:${port}`));
	});
});

describe('the confirmation of a subscription', () => {
	test('is sent to Amazon', async () => {
		const { send } = await aSesSite();
		expect(await send(sns.confirmation())).toBe(200);
		expect(sns.fetched).toEqual([CERTIFICATE, CONFIRM]);
	});

	test.each([
		['another host', CONFIRM.replace('eu-west-1', 'evil')],
		['another action', CONFIRM.replace('Confirm', 'Delete')],
		['another topic', CONFIRM.replace(':bounces', ':others')],
		['a network of ours', 'http://169.254.169.254/latest/meta-data']
	])('is refused with a URL of %s', async (_what, SubscribeURL) => {
		const { send } = await aSesSite();
		expect(await send(sns.confirmation({ SubscribeURL }))).toBe(400);
		expect(sns.fetched).toEqual([CERTIFICATE]);
	});

	test('ends nothing when Amazon reports the end of a subscription', async () => {
		const { send } = await aSesSite();
		expect(await send(sns.confirmation({ Type: 'UnsubscribeConfirmation' }))).toBe(200);
		expect(sns.fetched).toEqual([CERTIFICATE]);
	});
});
