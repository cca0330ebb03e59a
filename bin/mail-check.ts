import { rendererFor, smtpSettings } from '#lib/adapters/mail/open-mailer.ts';
import { openSmtpPool } from '#lib/adapters/mail/smtp-pool.ts';
import type { MailStep } from '#lib/adapters/mail/smtp-failure.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { describeProblem, readConfig } from '#lib/config.server.ts';
import type { SmtpConfig } from '#lib/config/mail.ts';
import { parseEmail } from '#lib/domain/index.ts';
import { loadEnvironment } from '../src/entry/env-file.ts';

// Sends one test email with the settings of the server and explains what fails.

const say = (line: string): void => console.log(`[postern] ${line}`);
const complain = (line: string): void => console.error(`[postern] ${line}`);

/** What each step is, and the usual fix when it fails. */
const STEPS: Readonly<Record<MailStep, readonly [what: string, mend: string]>> = {
	dns: [
		'the name of the mail server was not found',
		'Check the spelling of EMAIL_SERVICE or EMAIL_HOST, and that this machine can resolve names'
	],
	connect: [
		'nothing answers there',
		'Check EMAIL_PORT (465 and 587 are usual), and whether a firewall or your hosting blocks outgoing mail; some providers also answer on 2465, 2525 or 2587'
	],
	tls: [
		'no connection with a certificate that can be trusted',
		'Check that EMAIL_HOST is the name in the certificate and that the port fits: TLS at once on 465, STARTTLS on 587. A certificate of your own goes into NODE_EXTRA_CA_CERTS. A server on this machine without TLS needs EMAIL_ALLOW_PLAIN=1'
	],
	greeting: [
		'the server does not want to talk to this machine',
		'Its words are below. Often it is too busy, blocks this address, or is no mail server'
	],
	auth: [
		'it does not know the user name or the key',
		'Make a new key and set EMAIL_API_KEY; check EMAIL_USER. Some providers allow keys only for certain regions or addresses'
	],
	sender: [
		'it does not take mail from EMAIL_FROM',
		'Verify the domain of EMAIL_FROM with your provider, or use an address of a domain that is'
	],
	recipient: [
		'it does not take mail for this address',
		'Check the address. A new account may send only to itself until the provider lifts that; 4xx means: try again later'
	],
	content: [
		'it read the mail and then refused it',
		'Its words are below. Often the sender is not verified, or a quota is used up'
	],
	connection: [
		'the connection broke off',
		'Check host and port. If it happens now and then, it is the network or the server'
	],
	deadline: [
		'no answer in time',
		'A firewall that swallows packets looks like this. Try another port, such as 2465, 2525 or 2587'
	]
};

const main = async (): Promise<boolean> => {
	const [written] = process.argv.slice(2);
	const to = parseEmail(written ?? '', nodeDomainNames());
	if (!to.ok) {
		complain('say where to send it: npm run mail:check -- you@example.com');
		return false;
	}
	loadEnvironment(say);
	const config = readConfig(process.env);
	if (!config.ok) {
		for (const problem of config.error) complain(describeProblem(problem));
		return false;
	}
	const { mail } = config.value;
	if (mail.kind === 'console') {
		complain(
			'EMAIL_API_KEY is not set, so nothing is mailed: codes go to the console of the server'
		);
		complain('docs/email.md says what to set for your provider');
		return false;
	}
	const settings = smtpSettings(mail, config.value);
	say(`server: ${serverOf(mail)}`);
	say(`sender: ${settings.from.name} <${settings.from.address}>`);
	say(`sending a test mail to ${to.value}`);

	const conversation: string[] = [];
	const pool = openSmtpPool(settings, (line) => conversation.push(line));
	const render = rendererFor(config.value);
	const posted = await pool.post(to.value, render({ kind: 'mail_check', to: to.value }));
	pool.close();
	if (posted.delivery === 'sent') {
		say(`the server took it: ${posted.reply}`);
		say('now look into the mailbox. In the spam folder? See SPF, DKIM and DMARC in docs/email.md');
		return true;
	}
	const [what, mend] = STEPS[posted.step];
	complain(`it failed: ${what} (${posted.code})`);
	complain(`${mend}.`);
	complain(`in its own words: ${posted.reason.replace(/\s+/g, ' ')}`);
	if (conversation.length > 0) {
		complain('the conversation so far (> said by us, < by the server):');
		for (const line of conversation) complain(`  ${line.replace(/\r?\n/g, '\n[postern]   < ')}`);
	}
	return false;
};

const serverOf = ({ service, host, port, implicitTls, plain, user, key }: SmtpConfig): string =>
	[
		service === null ? `${host}:${port}` : `${service}, ${host}:${port}`,
		implicitTls ? 'TLS at once' : plain ? 'without TLS' : 'STARTTLS',
		// Some providers use the key as the user name as well.
		user === key ? 'signing in with the key' : `signing in as ${user}`
	].join(', ');

process.exitCode = (await main()) ? 0 : 1;
