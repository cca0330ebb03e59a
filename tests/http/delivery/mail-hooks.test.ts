import PostalMime from 'postal-mime';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import { call, newAddress } from '../../support/http/client.ts';

const SECRET = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`;
const PASSWORD = 'postern:a-long-random-password-1';

let sink: SmtpSink;
let server: BuiltServer;
beforeAll(async () => {
	sink = await startSmtpSink();
	server = await startBuiltServer({
		env: {
			EMAIL_API_KEY: 'key',
			EMAIL_HOST: '127.0.0.1',
			EMAIL_PORT: String(sink.port),
			EMAIL_ALLOW_PLAIN: '1',
			EMAIL_FROM: 'no-reply@postern.test',
			EMAIL_HOOK_RESEND: SECRET,
			EMAIL_HOOK_POSTMARK: PASSWORD,
			EMAIL_HOOK_SES: 'arn:aws:sns:eu-west-1:123456789012:bounces'
		}
	});
}, 60_000);
afterAll(async () => {
	await server.stop();
	await sink.stop();
});

/** Not by `call`, which compares with the document of the API. The webhooks are not part of it. */
const report = async (
	provider: string,
	body: string,
	headers: object
): Promise<{ readonly status: number; readonly text: string }> => {
	const answer = await fetch(`${server.address}/api/hooks/mail/${provider}`, {
		method: 'POST',
		body,
		headers: { 'content-type': 'application/json', ...headers }
	});
	return { status: answer.status, text: await answer.text() };
};

const byResend = (name: string, to: string): ReturnType<typeof report> => {
	const now = new Date();
	const data = { message_id: `<${name}>`, to: [to], bounce: { type: 'Permanent' } };
	const body = JSON.stringify({ type: 'email.bounced', created_at: now.toISOString(), data });
	return report('resend', body, {
		'svix-id': 'msg_1',
		'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
		'svix-signature': new Webhook(SECRET).sign('msg_1', now, body)
	});
};

const byPostmark = (name: string, Email: string): ReturnType<typeof report> => {
	const event = { RecordType: 'Bounce', Type: 'HardBounce', Email, BouncedAt: new Date() };
	const body = JSON.stringify({ ...event, Metadata: { 'message-id': name.split('@')[0] } });
	const authorization = `Basic ${Buffer.from(PASSWORD).toString('base64')}`;
	return report('postmark', body, { authorization });
};

test.each([
	['Resend', byResend],
	['Postmark', byPostmark]
] as const)(
	'the page says that an email bounced, found by its Message-ID: %s',
	async (_who, hook) => {
		const email = newAddress('nobody');
		const browser = openBrowser(server);
		await browser.post('/auth/sign-up?/request', { email });
		const mail = await PostalMime.parse(sink.mails.at(-1)?.raw ?? '');
		const name = mail.messageId?.slice(1, -1) ?? '';
		expect(await hook(name, email)).toMatchObject({ status: 200, text: '{"success":true}' });
		const page = textOf((await browser.open('/auth/sign-up')).text);
		expect(page).toContain('We couldn’t deliver our email to ');
		expect((await browser.open('/auth/sign-up?step=email')).text).toContain(`value="${email}"`);
	}
);

test('Amazon may send text, but nothing that it did not sign', async () => {
	const text = { 'content-type': 'text/plain; charset=UTF-8' };
	expect((await report('ses', '{}', text)).status).toBe(400);
	expect((await report('postmark', '{}', text)).status).toBe(415);
	const huge = JSON.stringify({ Message: 'x'.repeat(70_000) });
	expect((await report('ses', huge, text)).status).toBe(413);
});

test('a mail server that refuses the address at once is named on the form', async () => {
	const email = newAddress('nobody');
	sink.behave('refuse_recipient', email);
	const browser = openBrowser(server);
	const refused = await browser.post('/auth/sign-up?/request', { email });
	expect(refused.status).toBe(503);
	expect(textOf(refused.text)).toContain(
		'The mail server refused our email. Check the email address.'
	);
	expect(refused.text).toContain(`value="${email}"`);
	const body = { json: { email, type: 'sign-in' } };
	const answer = await call(server, '/api/auth/email-otp/send-verification-otp', body);
	expect(answer.json()).toMatchObject({ code: 'EMAIL_NOT_SENT' });
});
