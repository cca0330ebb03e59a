import { execFile } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { programFile } from '../../../bin/fresh-build.ts';
import { freePort } from '../../support/process/free-port.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

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

interface Run {
	readonly status: unknown;
	readonly output: string;
}
const check = (to: string[], changes: Record<string, string> = {}): Promise<Run> =>
	new Promise((resolve) => {
		const env = {
			PATH: process.env['PATH'] ?? '',
			NO_COLOR: '1',
			AUTH_SECRET: 'k3J0v9Qm2Xc7Tz1Rb8Wn4Ys6Lp5Hd0Gf_aUeIoNq',
			AUTH_URL: 'https://auth.example.org',
			EMAIL_API_KEY: KEY,
			EMAIL_SERVICE: '',
			EMAIL_HOST: '127.0.0.1',
			EMAIL_PORT: String(sink.port),
			EMAIL_USER: KEY,
			EMAIL_FROM: 'no-reply@example.org',
			EMAIL_ALLOW_PLAIN: '1',
			SITE_NAME: '',
			SUPPORT_EMAIL: '',
			NODE_ENV: '',
			...changes
		};
		const args = [programFile('mail-check'), ...to];
		execFile(process.execPath, args, { cwd: projectRoot, env }, (error, stdout, stderr) =>
			resolve({ status: error?.code ?? 0, output: stdout + stderr })
		);
	});

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

	it.each([
		['refuse_auth', 'the server refused the user name or the key (535 5.7.8)'],
		['refuse_sender', 'the server refused the sender EMAIL_FROM (550 5.7.1)'],
		['refuse_recipient', 'the server refused the recipient (550 5.1.1)'],
		['refuse_data', 'the server received the email and then refused it (554 5.6.0)']
	] as const)(
		'%s: reports what failed, shows the conversation, hides the key',
		async (behaviour, reason) => {
			sink.behave(behaviour);
			const { status, output } = await check(['ada@example.com']);
			expect(output).toContain(`failed: ${reason}`);
			expect(output).toContain('< 220 ');
			expect(output).not.toContain(KEY);
			expect(output).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 20));
			expect(output).not.toContain(Buffer.from(`\0${KEY}`).toString('base64').slice(0, 20));
			expect(status).toBe(1);
		}
	);

	it('distinguishes a wrong port from missing TLS', async () => {
		const wrong = await check(['ada@example.com'], { EMAIL_PORT: String(await freePort()) });
		expect(wrong.output).toContain('failed: no server responds there (ECONNREFUSED)');
		const bare = await check(['ada@example.com'], { EMAIL_ALLOW_PLAIN: '' });
		expect(bare.output).toContain('failed: the connection has no trusted certificate');
	});

	it('reports a missing key, a missing or invalid address, and invalid settings', async () => {
		const runs = await Promise.all([
			check(['ada@example.com'], { EMAIL_API_KEY: '' }),
			check([]),
			check(['ada']),
			check(['ada@example.com'], { EMAIL_FROM: 'nobody' })
		]);
		expect(runs.map(({ status }) => status)).toEqual([1, 1, 1, 1]);
		expect(runs[0].output).toContain('EMAIL_API_KEY: it is missing');
		expect(runs[1].output).toContain('npm run mail:check -- you@example.com');
		expect(runs[2].output).toContain('npm run mail:check -- you@example.com');
		expect(runs[3].output).toContain('EMAIL_FROM: "nobody" is not a single plain email address');
		expect(sink.mails).toEqual([]);
	});
});
