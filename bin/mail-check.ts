import { Resolver } from 'node:dns/promises';
import { parseArgs } from 'node:util';
import { mailRenderer } from '#lib/adapters/mail/mail-renderer.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { readConfig } from '#lib/config.server.ts';
import { parseEmail } from '#lib/domain/email.ts';
import { loadEnvironment } from '../src/entry/env-file.ts';
import { checkRecords, type Dns } from './lib/check-records.ts';
import { OperatorError, say } from '#lib/operator-messages.ts';
import { calling } from './lib/printable.ts';
import { runCli } from './lib/run-cli.ts';
import { sendTestEmail } from './lib/send-test-email.ts';

// Sends one test email with the settings of the server and explains what fails. Then checks the
// DNS records that decide whether receivers trust this sender.

/** The email was not sent, or an argument or a setting is wrong. */
const FAILED = 1;
/** The exit codes. After a failure: 2 if a record is wrong, 3 if one could not be checked. */
const WORST_FIRST = [FAILED, 2, 3];

const USAGE = `name the recipient: ${calling('mail-check')} you@example.com`;

/** Without a recipient, it sends nothing. */
const readArguments = () => {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: {
			records: { type: 'boolean', default: false },
			selector: { type: 'string', multiple: true, default: [] },
			dns: { type: 'string', multiple: true, default: [] }
		}
	});
	const { records: isRecordsOnly, selector: selectors } = values;
	const wrong = selectors.find((name) => !/^[\w-]+(?:\.[\w-]+)*$/.test(name));
	if (wrong !== undefined)
		throw new OperatorError(`${JSON.stringify(wrong)} is not a name in the DNS`);
	const dns = openDns(values.dns);
	if (isRecordsOnly && positionals.length > 0) {
		throw new OperatorError('--records sends no email, so it takes no recipient');
	}
	if (isRecordsOnly) return { to: null, selectors, dns };
	const to = parseEmail(positionals[0] ?? '', nodeDomainNames());
	if (!to.ok) throw new OperatorError(USAGE);
	return { to: to.value, selectors, dns };
};

/** By default, queries the DNS servers of the system. Each query ends after 4.5 s. */
const openDns = (servers: readonly string[]): Dns => {
	const resolver = new Resolver({ timeout: 1_500, tries: 2 });
	try {
		if (servers.length > 0) resolver.setServers(servers);
	} catch {
		throw new OperatorError('--dns needs an IP address, such as 9.9.9.9 or 127.0.0.1:5353');
	}
	return resolver;
};

await runCli(async () => {
	const { to, selectors, dns } = readArguments();
	loadEnvironment(say);
	const config = readConfig(process.env);
	if (!config.ok) throw new OperatorError(config.error.join('\n'));
	const { mail } = config.value;
	if (mail.kind === 'console') {
		throw new OperatorError(
			'EMAIL_API_KEY is not set, so no email is sent. The server prints codes to its console\nsee docs/email.md for the settings of your provider'
		);
	}
	// It throws if a template of the operator is wrong.
	mailRenderer(config.value);
	const statuses: number[] = [];
	for (const account of mail.fallback === null ? [mail] : [mail, mail.fallback]) {
		if (account !== mail) say('the second provider (EMAIL_FALLBACK_…):');
		if (to !== null && !(await sendTestEmail(to, account, config.value))) statuses.push(FAILED);
		const domain = account.from.address.slice(account.from.address.lastIndexOf('@') + 1);
		const checked = await checkRecords(dns, { domain, smtpHost: account.host, selectors });
		checked.lines.forEach(say);
		statuses.push(checked.status);
	}
	process.exitCode = WORST_FIRST.find((status) => statuses.includes(status)) ?? 0;
});
