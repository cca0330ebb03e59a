import { parseArgs } from 'node:util';
import { rendererFor } from '#lib/adapters/mail/mail-setting.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import type { SmtpAccount } from '#lib/config/mail-account.ts';
import { describeProblem, readConfig, type Config } from '#lib/config.server.ts';
import { parseEmail, type Email } from '#lib/domain/index.ts';
import { loadEnvironment } from '../src/entry/env-file.ts';
import { checkRecords, type RecordOptions } from './check-records.ts';
import { complain, say } from './printable.ts';
import { sendTestEmail } from './send-test-email.ts';

// Sends one test email with the settings of the server and explains what fails. Then checks the
// DNS records that decide whether receivers trust this sender.

/** The email was not sent, or an argument or a setting is wrong. */
const FAILED = 1;
/** Then wrong records, and unchecked ones. */
const WORST_FIRST = [FAILED, 2, 3];

interface Arguments {
	/** Null sends nothing. */
	readonly to: Email | null;
	readonly records: RecordOptions;
}

const USAGE = 'name the recipient: npm run mail:check -- you@example.com';
const HOST_NAME =
	/^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** The arguments, or what is wrong with them. */
const readArguments = (): Arguments | string => {
	let read;
	try {
		read = parseArgs({
			allowPositionals: true,
			options: {
				records: { type: 'boolean', default: false },
				selector: { type: 'string', multiple: true, default: [] },
				'return-path': { type: 'string' },
				dns: { type: 'string', multiple: true, default: [] }
			}
		});
	} catch (error) {
		return error instanceof Error ? error.message : USAGE;
	}
	const { positionals, values } = read;
	const { records: isRecordsOnly, selector, dns, 'return-path': returnPath } = values;
	const names = returnPath === undefined ? selector : [...selector, returnPath];
	const invalid = names.find((name) => !HOST_NAME.test(name));
	if (invalid !== undefined) return `${JSON.stringify(invalid)} is not a name in the DNS`;
	const records = {
		selectors: selector.map((name) => name.toLowerCase()),
		returnPath: returnPath?.toLowerCase() ?? null,
		servers: dns
	};
	if (isRecordsOnly) {
		return positionals.length === 0
			? { to: null, records }
			: '--records sends no email, so it takes no recipient';
	}
	const to = parseEmail(positionals[0] ?? '', nodeDomainNames());
	return to.ok ? { to: to.value, records } : USAGE;
};

const main = async (): Promise<number> => {
	const args = readArguments();
	if (typeof args === 'string') {
		complain(args);
		return FAILED;
	}
	loadEnvironment(say);
	const config = readConfig(process.env);
	if (!config.ok) {
		for (const problem of config.error) complain(describeProblem(problem));
		return FAILED;
	}
	const { mail } = config.value;
	if (mail.kind === 'console') {
		complain(
			'EMAIL_API_KEY is not set, so no email is sent. The server prints codes to its console'
		);
		complain('see docs/email.md for the settings of your provider');
		return FAILED;
	}
	const wrong = wrongTemplates(config.value);
	if (wrong.length > 0) {
		wrong.forEach(complain);
		return FAILED;
	}
	const statuses = [await check(mail, args, config.value)];
	if (mail.fallback !== null) {
		say('the second provider (EMAIL_FALLBACK_…):');
		statuses.push(await check(mail.fallback, args, config.value));
	}
	return WORST_FIRST.find((status) => statuses.includes(status)) ?? 0;
};

/** What is wrong with the operator's own templates, in one line each. */
const wrongTemplates = (config: Config): readonly string[] => {
	try {
		rendererFor(config);
		return [];
	} catch (error) {
		return error instanceof Error ? error.message.split('\n') : [String(error)];
	}
};

const check = async (account: SmtpAccount, args: Arguments, config: Config): Promise<number> => {
	const isSent = args.to === null || (await sendTestEmail(args.to, account, config));
	const status = await checkRecords(account, args.records);
	return isSent ? status : FAILED;
};

process.exitCode = await main();
