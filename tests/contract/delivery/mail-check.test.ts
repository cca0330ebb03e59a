import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { programFile } from '../../../bin/lib/ensure-build.ts';
import { sendTestEmail } from '../../../bin/lib/send-test-email.ts';
import { anEmail } from '../../support/domain/builders.ts';
import { freePort } from '../../support/process/free-port.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { NO_SETTINGS, TEST_SECRET } from '../../support/process/built-server.ts';
import { runProgram, type ToolRun } from '../../support/process/run-program.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';
import { configOf } from '../../support/web/config.ts';

const KEY = 'key-that-must-not-show';

let sink: SmtpSink;
beforeAll(async () => {
	sink = await startSmtpSink({ requireAuth: true });
});
beforeEach(() => {
	sink.behave('accept');
	sink.forget();
});
afterAll(() => sink.stop());

const settings = () => ({
	...mailingThrough(sink.port),
	EMAIL_FROM: 'no-reply@example.test',
	EMAIL_API_KEY: KEY,
	EMAIL_USER: KEY
});

/** Runs the built command. Without other settings, it asks no DNS. */
const check = async (
	to: readonly string[],
	changes: Readonly<Record<string, string>> = {}
): Promise<ToolRun> => {
	const { code, stdout, stderr } = await runProgram([programFile('mail-check'), ...to], {
		env: {
			...NO_SETTINGS,
			PATH: process.env['PATH'] ?? '',
			NO_COLOR: '1',
			AUTH_SECRET: TEST_SECRET,
			AUTH_URL: 'https://auth.example.org',
			...settings(),
			...changes
		}
	});
	return { status: code ?? 1, output: stdout + stderr };
};

describe('npm run mail:check', () => {
	it('sends one test email and reports that the server accepted it', async () => {
		const { status, output } = await check(['Ada@Example.com']);
		expect(output).toContain('the server accepted the email: 250');
		expect(output).toContain(
			`server: 127.0.0.1:${sink.port}, without TLS, signing in with the key`
		);
		expect(status).toBe(0);
		expect(sink.named).toEqual(['ada@example.com']);
	});

	it('reports what the DNS does not answer, after a refused email and without one', async () => {
		const args = ['--dns', `127.0.0.1:${await freePort()}`, '--selector', 'mail'];
		const sender = { EMAIL_FROM: 'no-reply@example.org' };
		sink.behave('refuse_data');
		const refused = await check(['ada@example.com', ...args], sender);
		const records = await check(['--records', ...args], sender);
		expect([refused.status, records.status]).toEqual([1, 3]);
		for (const { output } of [refused, records]) {
			for (const topic of ['SPF', 'DKIM', 'DMARC', 'MX']) {
				expect(output).toContain(`not checked: ${topic}: the DNS server cannot be reached\n`);
			}
		}
		expect(records.output).not.toContain('sending a test email');
	});

	it.each([
		[['--dns', 'example.org'], '--dns needs an IP address'],
		[['--selector', 'a b'], '"a b" is not a name in the DNS'],
		[['--selektor', 'mail'], "Unknown option '--selektor'"],
		[['ada@example.com'], '--records sends no email, so it takes no recipient']
	])('refuses the arguments %s in one line', async (args, line) => {
		const { status, output } = await check(['--records', ...args]);
		expect(output).toContain(`[postern] ${line}`);
		expect(output.trimEnd().split('\n')).toHaveLength(1);
		expect(status).toBe(1);
	});

	it('reports a missing key, and an invalid address', async () => {
		const runs = await Promise.all([
			check(['ada@example.com'], { EMAIL_API_KEY: '' }),
			check(['ada'])
		]);
		expect(runs.map(({ status }) => status)).toEqual([1, 1]);
		expect(runs[0].output).toContain('EMAIL_API_KEY: it is missing');
		expect(runs[1].output).toContain('postern mail-check you@example.com');
		expect(sink.mails).toEqual([]);
	});
});

/** What the command prints about a test email that fails. */
const failureOf = async (changes: Readonly<Record<string, string>> = {}): Promise<string> => {
	const lines: string[] = [];
	for (const stream of ['log', 'error'] as const) {
		vi.spyOn(console, stream).mockImplementation((line) => void lines.push(String(line)));
	}
	const config = configOf({ ...settings(), ...changes });
	if (config.mail.kind !== 'smtp') throw new Error('no mail server');
	expect(await sendTestEmail(anEmail(), config.mail, config)).toBe(false);
	vi.restoreAllMocks();
	return lines.join('\n');
};

describe('a test email that fails', () => {
	it.each([
		['refuse_auth', 'the server refused the user name or the key (535 5.7.8)'],
		['refuse_sender', 'the server refused the sender EMAIL_FROM (550 5.7.1)'],
		['refuse_recipient', 'the server refused the recipient (550 5.1.1)'],
		['refuse_data', 'the server received the email and then refused it (554 5.6.0)']
	] as const)('%s: shows what failed and the conversation, without the key', async (...row) => {
		const [behaviour, reason] = row;
		sink.behave(behaviour);
		const output = await failureOf();
		expect(output).toContain(`failed: ${reason}`);
		expect(output).toContain('< 220 ');
		for (const secret of [KEY, ...[KEY, `\0${KEY}`].map((text) => btoa(text).slice(0, 20))]) {
			expect(output).not.toContain(secret);
		}
	});

	it('distinguishes a wrong port from missing TLS', async () => {
		const wrong = await failureOf({ EMAIL_PORT: String(await freePort()) });
		expect(wrong).toContain('failed: no server responds there (ECONNREFUSED)');
		const bare = await failureOf({ EMAIL_ALLOW_PLAIN: '' });
		expect(bare).toContain('failed: the connection has no trusted certificate');
	});
});
