import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import PostalMime, { type Email as Parsed } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailRenderer, type RenderMail } from '#lib/adapters/mail/mail-renderer.ts';
import { conditionalMailer } from '#lib/adapters/mail/conditional-mailer.ts';
import { discardingTransport, messageOf } from '#lib/adapters/mail/message.ts';
import { queued, sendThrough, type MailQueueSettings } from '#lib/adapters/mail/smtp-mailer.ts';
import type { MailStep } from '#lib/adapters/mail/smtp-failure.ts';
import { openSmtpPool, type SmtpSettings } from '#lib/adapters/mail/smtp-pool.ts';
import { systemTiming } from '#lib/adapters/system/system.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { parseEmail, type Email } from '#lib/domain/email.ts';
import type { Delivery, Mail } from '#lib/domain/mail.ts';
import { tcpServer } from '../../support/process/tcp.ts';
import { mailedSite, providers, smtpTo } from '../../support/mail/mail-settings.ts';
import { exampleMails } from '../../support/mail/examples.ts';
import { present } from '../../support/http/fixtures.ts';
import { freePort } from '../../support/process/free-port.ts';
import {
	aCertificate,
	startSmtpSink,
	type Behaviour,
	type Certificate,
	type SmtpSink,
	type SunkMail
} from '../../support/mail/smtp-sink.ts';
import { mailerContract } from './mailer.contract.ts';

const to = 'ada@example.com' as Email;
const codeMail: Mail = { ...exampleMails.sign_in_code, to };
/** Long enough for a loopback server that answers, short enough to wait for one that does not. */
const SHORT_DEADLINE = 150;

/** Answers correctly, one byte at a time, without end. */
const dribble = (socket: Socket): void => {
	const words = '220-hello and welcome, please wait\r\n';
	let at = 0;
	const timer = setInterval(() => socket.write(words[at++ % words.length] ?? ''), 5);
	socket.once('close', () => clearInterval(timer));
};

const opened = providers();
const open = (
	port: number,
	changes: Partial<SmtpSettings> = {},
	render: RenderMail = mailRenderer(mailedSite),
	queue: Partial<MailQueueSettings> = {}
) => {
	const events: Record<string, unknown>[] = [];
	const busy: object[] = [];
	const settings = smtpTo(port, changes);
	const provider = opened.open(settings, 'primary', render);
	const log = (name: string, fields: object = {}): void => {
		if (name === 'mail_busy') busy.push(fields);
		const { provider: _provider, host: _host, ...failure } = fields as Record<string, unknown>;
		if (name === 'mail_failed') events.push(failure);
	};
	const tools = { timing: systemTiming, log };
	const { deadline, connections: width } = settings;
	// Room for all concurrent sends of a test.
	const room = { width, deadline, capacity: 100_000, maxWait: deadline, keyOf: () => 'everybody' };
	const inTurn = queued(sendThrough(provider, null, tools), { ...room, ...queue }, tools);
	const { close } = provider;
	return { mailer: { ...inTurn, close }, events, busy };
};

const parse = (mail: SunkMail | undefined): Promise<Parsed> => PostalMime.parse(mail?.raw ?? '');
const headersOf = (mail: SunkMail | undefined): string => mail?.raw.split('\r\n\r\n')[0] ?? '';
const headerNames = (mail: SunkMail | undefined): readonly string[] =>
	[...headersOf(mail).matchAll(/^([!-9;-~]+):/gm)].map(([, name = '']) => name.toLowerCase());
/** Decodes base64 and quoted-printable, without the HTML part. */
const wordsOf = (mail: SunkMail): string => {
	const [, part = ''] = mail.raw.split(/Content-Type: text\/plain[^\n]*\r\n/);
	const text = (part.split(/\r\n--/)[0] ?? '').replace(/=\r\n/g, '');
	return `${mail.recipients.join()} ${text}`;
};

let sink: SmtpSink;
let guarded: SmtpSink;
let trusted: Certificate;
beforeAll(async () => {
	trusted = await aCertificate('mail.example.test', '127.0.0.1');
	sink = await startSmtpSink();
	guarded = await startSmtpSink({ requireAuth: true });
});
beforeEach(() => {
	for (const one of [sink, guarded]) {
		one.behave('accept');
		one.forget();
	}
});
afterAll(async () => {
	opened.close();
	await Promise.all([sink.stop(), guarded.stop()]);
});

mailerContract('smtp', () => {
	sink.forget();
	sink.behave('accept');
	const bounced = 'nobody@example.test' as Email;
	const rejected = 'bounces@example.test' as Email;
	const refused = 'greylisted@example.test' as Email;
	const lost = 'lost@example.test' as Email;
	const crowded = 'busy@example.test' as Email;
	const { mailer } = open(sink.port);
	const full = open(sink.port, {}, mailRenderer(mailedSite), { width: 0, capacity: 0 });
	return {
		// The contract names an address per failure; here the server fails for any address.
		mailer: {
			send: (mail) => {
				if (mail.to === bounced) sink.behave('refuse_recipient', bounced);
				if (mail.to === rejected) sink.behave('refuse_data');
				if (mail.to === refused) sink.behave('greylist', refused);
				if (mail.to === lost) sink.behave('close_mid_data', lost);
				return mail.to === crowded ? full.mailer.send(mail) : mailer.send(mail);
			}
		},
		arrived: () => sink.mails.map(wordsOf),
		failing: { bounced, rejected, not_sent: refused, unknown: lost, busy: crowded }
	};
});

describe('an email', () => {
	it('L04: has headers fixed by the configuration, and those of automatic mail (GHSA-vvjj-xcjg-gr5g)', async () => {
		const { mailer } = open(sink.port, { replyTo: 'help@example.org' });
		await mailer.send(codeMail);
		await mailer.send({ kind: 'welcome', to: 'bob@example.com' as Email });
		for (const sunk of sink.mails) {
			const mail = await parse(sunk);
			expect(mail.from).toMatchObject({ name: 'Postern', address: 'no-reply@example.org' });
			expect(mail.replyTo).toMatchObject([{ address: 'help@example.org' }]);
			expect(mail.messageId).toMatch(/^<[^@]+@example\.org>$/);
			expect(headersOf(sunk)).toContain('Auto-Submitted: auto-generated');
			expect(headersOf(sunk)).toContain('X-Auto-Response-Suppress: All');
			expect(headerNames(sunk).toSorted()).toEqual(
				[
					'auto-submitted',
					'content-type',
					'date',
					'from',
					'message-id',
					'mime-version',
					'reply-to',
					'subject',
					'to',
					'x-auto-response-suppress'
				].toSorted()
			);
			expect(sunk).toMatchObject({ from: 'no-reply@example.org', hello: 'auth.example.org' });
			// A relay would have to rewrite other texts, and that breaks their DKIM signature.
			expect(sunk.raw).toMatch(/^[\r\n\t\x20-\x7e]*$/);
			expect(Math.max(...sunk.raw.split('\r\n').map((line) => line.length))).toBeLessThan(999);
		}
	});

	it('signs in to the server with the key, which no event contains', async () => {
		const { mailer, events } = open(guarded.port);
		expect(await mailer.send(codeMail)).toBe('sent');
		expect(guarded.mails[0]?.user).toBe(`postern:${smtpTo(0).key}`);
		guarded.behave('refuse_auth');
		guarded.dropConnections();
		await expect.poll(() => guarded.open()).toBe(0);
		expect(await mailer.send(codeMail)).toBe('not_sent');
		expect(events).toEqual([
			{ mail: 'sign_in_code', delivery: 'not_sent', step: 'auth', code: '535 5.7.8' }
		]);
	});

	it('uses a kept connection, and a new one after the server closed it', async () => {
		const { mailer } = open(sink.port);
		await mailer.send(codeMail);
		const before = sink.connections;
		await mailer.send(codeMail);
		expect(sink.connections).toBe(before);
		sink.dropConnections();
		expect(await mailer.send(codeMail)).toBe('sent');
		expect(sink.connections).toBe(before + 1);
		expect(sink.mails).toHaveLength(3);
	});

	it('in progress is finished when the mailer closes, and none is sent after that', async () => {
		const { mailer } = open(sink.port);
		await mailer.send(codeMail);
		const under = mailer.send(codeMail);
		await expect.poll(() => sink.mails).toHaveLength(2);
		mailer.close();
		expect(await under).toBe('sent');
		expect(await mailer.send(codeMail)).toBe('not_sent');
		expect(sink.mails).toHaveLength(2);
	});
});

describe('R05: an email that is composed and not sent', () => {
	it('takes as long as an email takes', async () => {
		const delay = 60;
		const slow = await startSmtpSink({ delay });
		const { mailer } = open(slow.port);
		const conditional = conditionalMailer(mailer, () => Promise.resolve(), systemTiming);
		await conditional.send(codeMail);
		const began = performance.now();
		await conditional.dryRun(codeMail);
		expect(performance.now() - began).toBeGreaterThanOrEqual(delay - 1);
		expect(slow.mails).toHaveLength(1);
		await slow.stop();
	});

	it('is encoded to its last byte, as one that is sent', async () => {
		// Nodemailer also takes a stream as text. It reads the stream to its end to encode it.
		const text = Readable.from(['text']);
		const letter = { subject: 's', html: 'h', text: text as unknown as string };
		const message = messageOf(smtpTo(sink.port), to, letter);
		await discardingTransport().sendMail(message);
		expect(text.readableEnded).toBe(true);
		expect(sink.mails).toEqual([]);
	});
});

describe('L01: a hostile name, here of the site', () => {
	const hostile = [
		'<img src=x onerror=alert(1)>',
		'{{7*7}}{{otp}}',
		'${7*7}',
		'%0aBcc: evil@example.net',
		'x\r\nBcc: evil@example.net\r\n\r\nbody',
		'</title><script>alert(1)</script>',
		'"><a href=//evil.example>Claim',
		'\u202Eevil\u2066',
		'=?utf-8?q?Bcc:_evil?=',
		'"evil" <evil@example.net>, x',
		'x'.repeat(10_000),
		'\0\u2028\u0085'
	];

	const usualMails: SunkMail[] = [];
	const usualMail = async (): Promise<SunkMail> => {
		await open(sink.port).mailer.send(codeMail);
		usualMails.push(...sink.mails);
		return present(sink.mails[0]);
	};

	it.each(hostile.map((name) => [JSON.stringify(name.slice(0, 40)), name]))(
		'%s',
		async (_, name) => {
			const [usual = await usualMail()] = usualMails;
			sink.forget();
			const { mailer } = open(
				sink.port,
				{ from: { name, address: 'no-reply@example.org' } },
				mailRenderer({ ...mailedSite, siteName: name })
			);
			expect(await mailer.send(codeMail)).toBe('sent');
			const [sunk] = sink.mails;
			expect(headerNames(sunk)).toEqual(headerNames(usual));
			expect(sunk?.recipients).toEqual([to]);
			const mail = await parse(sunk);
			expect(mail.from?.address).toBe('no-reply@example.org');
			expect(mail.to).toMatchObject([{ address: to }]);
			expect(mail.bcc ?? []).toEqual([]);
			expect(mail.subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
			expect(mail.html).not.toMatch(/<(?:img src=x|script|a href=\/\/)/);
			expect(mail.html).toContain('>012345<');
			// The text part has the usual lines and no others.
			const lines = async (one: SunkMail | undefined): Promise<number> =>
				((await parse(one)).text ?? '').split('\n').length;
			expect(await lines(sunk)).toBe(await lines(usual));
			expect(mail.text).toMatch(/^012345$/m);
		}
	);
});

describe('M11, B08: a mail server with faults', () => {
	const cases: readonly [Behaviour, Delivery, MailStep, string][] = [
		['refuse_sender', 'not_sent', 'sender', '550 5.7.1'],
		['refuse_recipient', 'bounced', 'recipient', '550 5.1.1'],
		['greylist', 'not_sent', 'recipient', '450 4.2.0'],
		['refuse_data', 'rejected', 'content', '554 5.6.0'],
		['close_before_data', 'not_sent', 'connection', 'ECONNECTION'],
		['close_mid_data', 'unknown', 'connection', 'ECONNECTION'],
		['hang_before_data', 'not_sent', 'deadline', 'ETIMEDOUT'],
		['hang_after_data', 'unknown', 'deadline', 'ETIMEDOUT']
	];

	it.each(cases)('%s: %s, at %s, %s', async (behaviour, delivery, step, code) => {
		const deadlines = behaviour.startsWith('hang') ? { deadline: 1_000 } : {};
		const { mailer, events } = open(sink.port, deadlines);
		sink.behave(behaviour);
		expect(await mailer.send(codeMail)).toBe(delivery);
		expect(events).toEqual([{ mail: 'sign_in_code', delivery, step, code }]);
		// The next email is not affected.
		sink.behave('accept');
		expect(await mailer.send(codeMail)).toBe('sent');
	});

	it('an email cancelled before its text was handed over is never sent, at any moment', async () => {
		const slow = await startSmtpSink({ delay: 30 });
		const letter = { subject: 's', text: 't', html: 'h' };
		const pool = openSmtpPool(smtpTo(slow.port, { connections: 30 }), () => letter);
		const posts = Array.from({ length: 30 }, async (_, index) => {
			const address = `ada${index}@example.com` as Email;
			// One is not cancelled, however slow the machine is.
			const within = index === 29 ? 60_000 : 20 * index;
			const { delivery } = await pool.post({ kind: 'welcome', to: address }, { within });
			return { address, delivery };
		});
		const posted = await Promise.all(posts);
		const fates = new Set(posted.map(({ delivery }) => delivery));
		expect(fates).toContain('not_sent');
		expect(fates.size).toBeGreaterThan(1);
		// Longer than a pool waits before it retries an email.
		const last = { kind: 'welcome', to: 'last@example.com' as Email } as const;
		expect((await pool.post(last)).delivery).toBe('sent');
		expect((await pool.post(last)).delivery).toBe('sent');
		pool.close();
		await expect.poll(() => slow.open()).toBe(0);
		const arrived = slow.mails.flatMap(({ recipients }) => recipients);
		const refused = posted.filter(({ delivery }) => delivery === 'not_sent');
		expect(refused.filter(({ address }) => arrived.includes(address))).toEqual([]);
		await slow.stop();
	});

	it('an email that waited, and was handed over before its deadline, is never refused', async () => {
		const slow = await startSmtpSink({ delay: (before) => (before < 5 ? 50 : 4_000) });
		const queue = { keyOf: ({ to }: Mail) => to };
		const { mailer } = open(slow.port, { deadline: 2_000 }, mailRenderer(mailedSite), queue);
		const sends = Array.from({ length: 10 }, (_, send) =>
			mailer.send({ ...codeMail, to: `ada${send}@example.com` as Email })
		);
		const outcomes = await Promise.all(sends);
		expect(slow.mails).toHaveLength(10);
		expect(outcomes.slice(5)).toEqual(Array.from({ length: 5 }, () => 'unknown'));
		await slow.stop();
	});

	it('M12: a refusal on a reused connection is as final', async () => {
		const { mailer } = open(sink.port);
		await mailer.send(codeMail);
		sink.behave('greylist');
		expect(await mailer.send(codeMail)).toBe('not_sent');
		expect(sink.mails).toHaveLength(1);
	});

	it.each([
		['accepts connections and sends nothing', () => undefined],
		['sends one byte at a time', dribble]
	])('a server that %s is given up at the deadline', async (_, serve) => {
		const raw = await tcpServer(serve);
		const { mailer, events } = open(raw.port, { deadline: SHORT_DEADLINE });
		expect(await mailer.send(codeMail)).toBe('not_sent');
		// The greeting has the same time limit.
		expect(events[0]?.step).toMatch(/^(?:deadline|greeting)$/);
		await expect.poll(() => raw.open()).toBe(0);
		await raw.stop();
	});

	it('R04: emails that wait too long behind hanging ones are cancelled, and the caller gets the error', async () => {
		const raw = await tcpServer(() => undefined);
		const queue = { maxWait: SHORT_DEADLINE / 3 };
		const { mailer, busy } = open(
			raw.port,
			{ deadline: SHORT_DEADLINE },
			mailRenderer(mailedSite),
			queue
		);
		const outcomes = await Promise.all(Array.from({ length: 30 }, () => mailer.send(codeMail)));
		expect(outcomes.filter((outcome) => outcome === 'not_sent')).toHaveLength(4);
		expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(26);
		expect(busy).toHaveLength(26);
		expect(JSON.stringify(busy)).not.toMatch(/ada|012345|key-that/);
		await expect.poll(() => raw.open()).toBe(0);
		await raw.stop();
	});

	it('a server that immediately closes the connection, rejects it or violates the protocol counts as not sent', async () => {
		for (const [words = '', step] of [
			['', 'connection'],
			['554 5.3.2 not today\r\n', 'greeting'],
			['421 4.3.2 too busy\r\n', 'greeting'],
			['HTTP/1.1 400 Bad Request\r\n\r\n', 'connection']
		]) {
			const raw = await tcpServer((socket) => socket.end(words));
			const { mailer, events } = open(raw.port);
			expect(await mailer.send(codeMail), words).toBe('not_sent');
			expect(events[0]?.step, words).toBe(step);
			await raw.stop();
		}
	});

	it('no server listens: not sent', async () => {
		const { mailer, events } = open(await freePort());
		expect(await mailer.send(codeMail)).toBe('not_sent');
		expect(events[0]).toMatchObject({ step: 'connect', code: 'ECONNREFUSED' });
	});

	it('an unknown host name: not sent', async () => {
		const { mailer, events } = open(25, { host: 'mail.does-not-exist.invalid' });
		expect(await mailer.send(codeMail)).toBe('not_sent');
		expect(events[0]?.step).toBe('dns');
	});

	it('leaves no socket and no timer behind after failures of every kind', async () => {
		const silent = await tcpServer(() => undefined);
		const closedPort = await freePort();
		const counted = (): Record<string, number> => {
			const counts: Record<string, number> = { TCPSocketWrap: 0, TCPWRAP: 0, Timeout: 0 };
			for (const name of process.getActiveResourcesInfo()) {
				if (name in counts) counts[name] = (counts[name] ?? 0) + 1;
			}
			return counts;
		};
		sink.dropConnections();
		await expect.poll(() => sink.open()).toBe(0);
		const before = counted();
		const mailers = [
			open(sink.port, { deadline: SHORT_DEADLINE }),
			open(silent.port, { deadline: 20 }),
			open(closedPort)
		].map(({ mailer }) => mailer);
		const troubles = [
			'refuse_recipient',
			'close_mid_data',
			'hang_after_data',
			'refuse_data'
		] as const;
		for (const behaviour of troubles) {
			sink.behave(behaviour);
			const sends = mailers.flatMap((mailer) =>
				Array.from({ length: 5 }, () => mailer.send(codeMail))
			);
			expect(await Promise.all(sends)).not.toContain('sent');
		}
		for (const mailer of mailers) mailer.close();
		await vi.waitFor(() => {
			expect(sink.open()).toBe(0);
			expect(silent.open()).toBe(0);
			const after = counted();
			for (const [name, count] of Object.entries(before)) {
				// Vitest has its own timers, including the timer of this wait.
				expect(after[name], name).toBeLessThanOrEqual(count + (name === 'Timeout' ? 2 : 0));
			}
		}, 20_000);
		await silent.stop();
	});
});

describe('N10: TLS', () => {
	const tlsCases = [
		['implicit', true],
		['starttls', false]
	] as const;

	it.each(tlsCases)(
		'%s: a trusted certificate that names the host is accepted',
		async (tls, implicitTls) => {
			const secured = await startSmtpSink({ tls, certificate: trusted, requireAuth: true });
			const { mailer } = open(secured.port, { implicitTls, plain: false, ca: trusted.cert });
			expect(await mailer.send(codeMail)).toBe('sent');
			expect(secured.mails[0]?.secure).toBe(true);
			await secured.stop();
		}
	);

	it.each(tlsCases)(
		'%s: an untrusted certificate is refused, and nothing is sent',
		async (tls, implicitTls) => {
			const secured = await startSmtpSink({ tls, certificate: trusted });
			const { mailer, events } = open(secured.port, { implicitTls, plain: false });
			expect(await mailer.send(codeMail)).toBe('not_sent');
			expect(events[0]).toMatchObject({ step: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
			expect(secured.mails).toEqual([]);
			await secured.stop();
		}
	);

	it.each(tlsCases)('%s: a certificate for another host is refused', async (tls, implicitTls) => {
		const other = await aCertificate('other.example.test');
		const secured = await startSmtpSink({ tls, certificate: other });
		const { mailer, events } = open(secured.port, { implicitTls, plain: false, ca: other.cert });
		expect(await mailer.send(codeMail)).toBe('not_sent');
		expect(events[0]).toMatchObject({ step: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
		expect(secured.mails).toEqual([]);
		await secured.stop();
	});

	it('a server without STARTTLS gets neither key nor email', async () => {
		const { mailer, events } = open(guarded.port, { plain: false });
		expect(await mailer.send(codeMail)).toBe('not_sent');
		expect(events[0]?.step).toBe('tls');
		expect(guarded.mails).toEqual([]);
	});

	it('TLS to a server without TLS, and the reverse, ends within the deadline', async () => {
		const implicit = open(sink.port, { implicitTls: true, plain: false });
		expect(await implicit.mailer.send(codeMail)).toBe('not_sent');
		expect(implicit.events[0]?.step).toBe('tls');
		const secured = await startSmtpSink({ tls: 'implicit', certificate: trusted });
		const { mailer } = open(secured.port, { plain: false, deadline: SHORT_DEADLINE });
		expect(await mailer.send(codeMail)).not.toBe('sent');
		await secured.stop();
	});
});

describe('I03: an address', () => {
	const names = nodeDomainNames();
	const special = "#$&'*+/=^_`{|}~-0aZ.";
	const local = fc.string({ unit: fc.constantFrom(...special), minLength: 1, maxLength: 20 });
	const label = fc.oneof(
		fc.string({ unit: fc.constantFrom(...'abcxyz019-'), minLength: 1, maxLength: 12 }),
		fc.constantFrom('bücher', 'пример', '例え', 'straße', 'ΣΊΣΥΦΟΣ', 'xn--bcher-kva', 'ﬁne')
	);
	const written = fc
		.tuple(local, fc.array(label, { minLength: 2, maxLength: 3 }))
		.map(([name, labels]) => `${name}@${labels.join('.')}`);

	it('reaches the server exactly as it was accepted', async () => {
		const rounds = process.env['POSTERN_FULL'] === '1' ? 20_000 : 200;
		const addresses = fc
			.sample(written, rounds)
			.map((text) => parseEmail(text, names))
			.flatMap((parsed) => (parsed.ok ? [parsed.value] : []));
		expect(addresses.length).toBeGreaterThan(rounds / 3);
		const { mailer } = open(sink.port, { deadline: 120_000 }, () => ({
			subject: 's',
			text: 't',
			html: 'h'
		}));
		const outcomes = await Promise.all(
			addresses.map((address) => mailer.send({ kind: 'welcome', to: address }))
		);
		expect(new Set(outcomes)).toEqual(new Set(['sent']));
		expect(sink.named.toSorted()).toEqual(addresses.toSorted());
		expect(sink.mails).toHaveLength(addresses.length);
		expect(sink.mails.every(({ recipients }) => recipients.length === 1)).toBe(true);
		for (const mail of sink.mails) {
			const shown = (await parse(mail)).to?.map(({ address }) => address) ?? [];
			expect(shown.map((address) => parseEmail(address ?? '', names))).toEqual(
				mail.recipients.map((address) => parseEmail(address, names))
			);
		}
	});
});
