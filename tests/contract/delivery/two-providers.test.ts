import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendThrough } from '#lib/adapters/mail/smtp-mailer.ts';
import { memoryStorage, memoryStores } from '../../support/memory/stores.ts';
import { systemTiming } from '#lib/adapters/system/system.ts';
import { compose, type App } from '#lib/app.server.ts';
import { readConfig } from '#lib/config.server.ts';
import { messageName } from '#lib/domain/delivery/use-cases.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MailId } from '#lib/domain/ids.ts';
import type { Mailer } from '#lib/domain/mail.ts';
import { aRequestSource, aProfile, aNetwork } from '../../support/domain/builders.ts';
import { aSigner } from '../../support/domain/fixture.ts';
import { exampleMails } from '../../support/mail/examples.ts';
import { mailingThrough, providers, smtpTo } from '../../support/mail/mail-settings.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';
import { mailerContract } from './mailer.contract.ts';

const codeMail = exampleMails.sign_in_code;
const ID = '01890a5d-ac96-774b-bcce-b302099a8057' as MailId;
/** A third of it is long enough for a loopback server that answers, and short enough to wait for one that does not. */
const DEADLINE = 9_000;

let primary: SmtpSink;
let fallback: SmtpSink;
const opened = providers();
beforeAll(async () => {
	primary = await startSmtpSink({ requireAuth: true });
	fallback = await startSmtpSink();
});
beforeEach(() => {
	for (const sink of [primary, fallback]) {
		sink.behave('accept');
		sink.forget();
	}
});
afterAll(async () => {
	opened.close();
	await Promise.all([primary.stop(), fallback.stop()]);
});

/** A mailer over two real mail servers. */
const open = () => {
	const events: Record<string, unknown>[] = [];
	const provider = (name: 'primary' | 'fallback', port: number) =>
		opened.open(smtpTo(port, { deadline: DEADLINE }), name);
	const send = sendThrough(provider('primary', primary.port), provider('fallback', fallback.port), {
		timing: systemTiming,
		log: (_, fields) => void events.push({ ...fields })
	});
	const mailer: Mailer = { send: (mail) => send(mail, ID, DEADLINE) };
	return { mailer, events };
};

/** One for the whole contract, because each new connection takes the greeting of the mail server. */
let contractMailer: Mailer | null = null;

mailerContract('two providers, the first of which refuses', () => {
	for (const sink of [primary, fallback]) sink.forget();
	primary.behave('refuse_sender');
	const refused = 'bounces@example.test' as Email;
	const lost = 'lost@example.test' as Email;
	const mailer = (contractMailer ??= open().mailer);
	return {
		mailer: {
			send: (mail) => {
				fallback.behave('accept');
				if (mail.to === refused) fallback.behave('greylist');
				if (mail.to === lost) fallback.behave('close_mid_data');
				return mailer.send(mail);
			}
		},
		arrived: () =>
			fallback.mails.map(({ recipients, raw }) => recipients.join() + raw.replace(/=\r\n/g, '')),
		failing: { not_sent: refused, unknown: lost, busy: null, rejected: null, bounced: null }
	};
});

describe('an email that the first provider does not take', () => {
	it('whose connection closes after the text arrives twice, with the same code and Message-ID', async () => {
		primary.behave('close_after_data');
		const { mailer, events } = open();
		expect(await mailer.send(codeMail)).toBe('sent');
		const mails = [...primary.mails, ...fallback.mails];
		const read = await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)));
		const { code } = codeMail;
		expect(read.map(({ text }) => /^\d{6}$/m.exec(text ?? '')?.[0])).toEqual([code, code]);
		const messageId = `<${messageName(aSigner(), ID, codeMail.to)}@example.org>`;
		expect(read.map((mail) => mail.messageId)).toEqual([messageId, messageId]);
		expect(events.map(({ delivery }) => delivery)).toEqual(['unknown', 'sent']);
	});
});

describe('the application with two providers', () => {
	let app: App;
	afterEach(() => app.close());
	const events: object[] = [];
	const start = async (): Promise<void> => {
		events.splice(0);
		const second = Object.entries(mailingThrough(fallback.port)).map(([name, value]) => [
			name.replace('EMAIL_', 'EMAIL_FALLBACK_'),
			value
		]);
		const config = readConfig({
			AUTH_SECRET: 'uQ7vZ0mW3nY5cR8tB1kL6xJ9hG2fD4sA-pE_oI',
			AUTH_URL: 'http://localhost:3000',
			...mailingThrough(primary.port),
			...Object.fromEntries(second)
		});
		if (!config.ok) throw new Error(JSON.stringify(config.error));
		const log = {
			event: (name: string, fields: object = {}) => void events.push({ name, ...fields }),
			fault: (where: string, fault: unknown) => void events.push({ where, fault })
		};
		app = await compose(config.value, { storage: memoryStorage(memoryStores()), log });
	};
	const caller = { codeKey: null, source: aRequestSource(), network: aNetwork() };
	const request = async (): Promise<string> => {
		const before = [primary.mails.length, fallback.mails.length];
		const requested = await app.requestCode({
			email: 'ada@example.com',
			purpose: 'sign_in',
			...caller
		});
		if (!requested.ok) return requested.error.code;
		const after = [primary.mails.length, fallback.mails.length];
		return after.map((count, at) => count - (before[at] ?? 0)).join('+');
	};

	it('sends a code again by the other one', async () => {
		await start();
		expect(await request()).toBe('1+0');
		const { text = '' } = await PostalMime.parse(primary.mails[0]?.raw ?? '');
		const verified = await app.verifyCode({
			...caller,
			email: 'ada@example.com',
			code: /^\d{6}$/m.exec(text)?.[0] ?? '',
			profile: aProfile(),
			currentToken: null,
			ifDeleted: 'refuse'
		});
		expect(verified.ok).toBe(true);
		await expect.poll(() => primary.mails.length).toBe(2);
		expect([await request(), await request()]).toEqual(['0+1', '1+0']);
		expect(events).toMatchObject([
			{ name: 'mail_sent', mail: 'sign_in_code', provider: 'primary', host: '127.0.0.1' },
			{ name: 'mail_sent', mail: 'welcome', provider: 'primary' },
			{ name: 'mail_sent', mail: 'sign_in_code', provider: 'fallback' },
			{ name: 'mail_sent', mail: 'sign_in_code', provider: 'primary' }
		]);
		expect(JSON.stringify(events)).not.toContain('ada@');
	});
});
