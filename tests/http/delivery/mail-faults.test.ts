import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import { newAddress, sendCode, verifyCode } from '../../support/http/client.ts';
import { present } from '../../support/http/fixtures.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { startSmtpSink, type Behaviour, type SmtpSink } from '../../support/mail/smtp-sink.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';

const NOT_SENT = {
	message: 'The email could not be sent. Please try again.',
	code: 'EMAIL_NOT_SENT'
};
const TOLD = 'We couldn’t send the email. Try again in a moment.';

let sink: SmtpSink;
let server: BuiltServer;
beforeAll(async () => {
	sink = await startSmtpSink();
	server = await startBuiltServer({ env: mailingThrough(sink.port) });
});
beforeEach(() => sink.behave('accept'));
afterAll(async () => {
	await server.stop();
	await sink.stop();
});

const lastCode = async (email: string): Promise<string> => {
	const mail = sink.mails.findLast(({ recipients }) => recipients.includes(email));
	const { text = '' } = await PostalMime.parse(present(mail).raw);
	return present(/^\d{6}$/m.exec(text))[0];
};

test.each<readonly [Behaviour, string]>([
	['greylist', TOLD],
	['refuse_recipient', 'Check the email address.'],
	['close_before_data', TOLD]
])(
	'M11 %s: the API and the form say so, the earlier code stays valid and no attempt is used up',
	async (behaviour, told) => {
		const email = newAddress();
		await sendCode(server, email);
		const code = await lastCode(email);
		sink.behave(behaviour);
		const browser = openBrowser(server);
		const form = await browser.open('/auth/sign-in');
		const answer = await sendCode(server, email);
		expect([answer.status, answer.json()]).toEqual([503, NOT_SENT]);
		const page = await browser.submit(form, '?/request', { email: newAddress('form') });
		expect([page.status, textOf(page.text).includes(told)]).toEqual([503, true]);
		// The page returns to the form that requested it, not to the code step.
		expect(page.text).toContain('value="form-');
		expect((await verifyCode(server, email, code)).status).toBe(200);
		expect(server.output()).toContain('"event":"mail_failed"');
	}
);

test('M11 close_mid_data: an email that may have gone out counts as sent', async () => {
	sink.behave('close_mid_data');
	expect((await sendCode(server, newAddress())).status).toBe(200);
	expect(server.output()).toMatch(/"event":"mail_failed"[^\n]*"unknown"/);
});
