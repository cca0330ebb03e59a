import { mailRenderer, type MailerConfig } from '#lib/adapters/mail/mail-renderer.ts';
import { smtpSettings } from '#lib/adapters/mail/open-mailer.ts';
import { openSmtpPool } from '#lib/adapters/mail/smtp-pool.ts';
import type { MailStep } from '#lib/adapters/mail/smtp-failure.ts';
import type { SmtpAccount } from '#lib/config/mail-account.ts';
import type { Email } from '#lib/domain/email.ts';
import { printError, say } from '#lib/operator-messages.ts';
import { printable } from './printable.ts';

/** What each step is, and the usual fix when it fails. */
const STEPS: Readonly<Record<MailStep, readonly [what: string, fix: string]>> = {
	dns: [
		'the name of the mail server was not found',
		'Check EMAIL_SERVICE or EMAIL_HOST, and whether this machine can resolve names'
	],
	connect: [
		'no server responds there',
		'Check EMAIL_PORT (465 and 587 are usual), and whether a firewall or your hosting provider blocks outgoing email. Some providers also use 2465, 2525 or 2587'
	],
	tls: [
		'the connection has no trusted certificate',
		'Check that EMAIL_HOST is the name in the certificate, and that the port matches: TLS on 465, STARTTLS on 587. For your own certificate, set NODE_EXTRA_CA_CERTS. A server on this machine without TLS needs EMAIL_ALLOW_PLAIN=1'
	],
	greeting: [
		'the server refuses connections from this machine',
		'Its reply is below. Usual reasons: it is too busy, it blocks this address, or it is not a mail server'
	],
	auth: [
		'the server refused the user name or the key',
		'Create a new key and set EMAIL_API_KEY, and check EMAIL_USER. Some providers allow keys only for certain regions or addresses'
	],
	sender: [
		'the server refused the sender EMAIL_FROM',
		'Verify the domain of EMAIL_FROM with your provider, or use an address of a verified domain'
	],
	recipient: [
		'the server refused the recipient',
		'Check the email address. Providers often allow new accounts to send only to their own address. 4xx means: try again later'
	],
	content: [
		'the server received the email and then refused it',
		'Its reply is below. Usual reasons: the sender is not verified, or a quota is used up'
	],
	connection: [
		'the connection was lost',
		'Check the host and the port. If it happens only sometimes, the cause is the network or the server'
	],
	deadline: [
		'no answer in time',
		'A firewall may drop the packets. Try another port, such as 2465, 2525 or 2587'
	]
};

/** Sends one test email through this mail server, and explains what fails. */
export const sendTestEmail = async (
	to: Email,
	account: SmtpAccount,
	setting: MailerConfig
): Promise<boolean> => {
	const settings = smtpSettings(account, setting);
	say(`server: ${serverOf(account)}`);
	say(`sender: ${settings.from.name} <${settings.from.address}>`);
	say(`sending a test email to ${to}`);

	const conversation: string[] = [];
	const pool = openSmtpPool(settings, mailRenderer(setting), (line) => conversation.push(line));
	const posted = await pool.post({ kind: 'mail_check', to });
	pool.close();
	if (posted.delivery === 'sent') {
		say(`the server accepted the email: ${printable(posted.reply)}`);
		say(
			'check the mailbox. If the email is in the spam folder, mend the DNS records that are wrong below (docs/email.md explains them)'
		);
		return true;
	}
	const [what, fix] = STEPS[posted.step];
	printError(`failed: ${what} (${posted.code})`);
	printError(`${fix}.`);
	printError(`its reply: ${printable(posted.reason.replace(/\s+/g, ' '))}`);
	if (conversation.length > 0) {
		printError('the SMTP dialogue (> client, < server):');
		for (const entry of conversation) {
			const lines = entry.split(/\r?\n/).map(printable);
			printError(`  ${lines.join('\n[postern]   < ')}`);
		}
	}
	return false;
};

const serverOf = ({ service, host, port, implicitTls, plain, user, key }: SmtpAccount): string =>
	[
		service === null ? `${host}:${port}` : `${service}, ${host}:${port}`,
		implicitTls ? 'TLS at once' : plain ? 'without TLS' : 'STARTTLS',
		// Some providers use the key as the user name as well.
		user === key ? 'signing in with the key' : `signing in as ${user}`
	].join(', ');
