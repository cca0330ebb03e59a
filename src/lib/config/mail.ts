import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { reasonOf } from '#lib/operator-messages.ts';
import {
	accountOf,
	accountSettings,
	type AccountSettings,
	type SmtpAccount
} from './mail-account.ts';
import { invalid, onOff, parsed, type Refuse } from './settings.ts';

export interface SnsTopic {
	readonly arn: string;
	readonly region: string;
}

/** The metadata field in which Postmark returns our Message-ID. It allows 20 characters. */
export const POSTMARK_FIELD = 'message-id';

const parseTopic = (arn: string): Result<SnsTopic, string> => {
	const region = /^arn:aws(?:-us-gov)?:sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w-]{1,256}$/.exec(
		arn
	)?.[1];
	return region === undefined
		? err(
				`"${arn}" is not the ARN of an SNS topic. Copy it from the topic, such as arn:aws:sns:eu-west-1:123456789012:bounces`
			)
		: ok({ arn, region });
};

/** One file of the operator's folder of email templates. */
export interface TemplateFile {
	/** Such as `welcome.html`. */
	readonly name: string;
	readonly text: string;
}

/** Reads the files. `ownTemplates` checks what is in them. */
const readTemplates = (folder: string): Result<readonly TemplateFile[], string> => {
	const fix = 'Set it to a folder with email templates, such as examples/email-templates';
	try {
		const names = readdirSync(folder).filter((name) => /\.(?:html|txt)$/.test(name));
		if (names.length === 0) return err(`there are no .html and .txt files in ${folder}. ${fix}`);
		return ok(names.map((name) => ({ name, text: readText(join(folder, name)) })));
	} catch (error) {
		return err(`${folder} cannot be read (${reasonOf(error)}). ${fix}`);
	}
};

/** Without the mark that some editors write first. Throws when the file is not UTF-8. */
const readText = (file: string): string =>
	new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replaceAll('\r\n', '\n');

/**
 * The prefixes of the two providers. Each has the settings of `accountSettings`: EMAIL_API_KEY,
 * EMAIL_SERVICE, EMAIL_HOST, EMAIL_PORT, EMAIL_USER, EMAIL_FROM and EMAIL_ALLOW_PLAIN for the first,
 * EMAIL_FALLBACK_API_KEY and so on for the second.
 */
const FIRST = 'EMAIL_';
const SECOND = 'EMAIL_FALLBACK_';

export const mailSettings = {
	[FIRST]: accountSettings(FIRST),
	[SECOND]: accountSettings(SECOND),
	EMAIL_CONSOLE: z.literal('allow', invalid('allow, or remove it')).optional(),
	EMAIL_CODE_IN_SUBJECT: onOff.default(false),
	EMAIL_TEMPLATES: parsed(readTemplates).default([]),
	// The messages do not repeat secrets.
	EMAIL_HOOK_RESEND: z
		.string()
		.regex(
			/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
			'it is not a signing secret of Resend. Copy the Signing Secret of the webhook, which starts with whsec_'
		)
		.optional(),
	EMAIL_HOOK_POSTMARK: z
		.string()
		.regex(
			/^[\w-]+:[\w-]{20,}$/,
			'it is not a user name and a password of at least 20 letters, digits, - and _. Write user:password, with a random password. The URL of the webhook contains the same'
		)
		.optional(),
	EMAIL_HOOK_SES: parsed(parseTopic).optional()
};
type MailSettings = z.output<z.ZodObject<typeof mailSettings>>;

/** Where email goes: to the console, or through a mail server. */
export type MailConfig = ReturnType<typeof mailConfig>;
export type SmtpConfig = Extract<MailConfig, { kind: 'smtp' }>;

/**
 * `isHttps` means that the site is public, whatever `NODE_ENV` says. Such a site prints no codes
 * to the console unless the operator allows it. Its console is usually a log with many readers,
 * and a reader of codes can sign in as any user.
 */
export const mailConfig = (set: MailSettings, isHttps: boolean, refuse: Refuse) => {
	const emails = {
		codeInSubject: set.EMAIL_CODE_IN_SUBJECT,
		templates: set.EMAIL_TEMPLATES
	};
	const first = set[FIRST];
	if (first.API_KEY !== undefined) {
		const account = accountOf(first, first.API_KEY, FIRST, refuse);
		const fallback = fallbackOf(set[SECOND], account, refuse);
		return { kind: 'smtp' as const, ...account, fallback, ...emails };
	}
	if (isHttps && set.EMAIL_CONSOLE === undefined) {
		refuse(
			'EMAIL_API_KEY',
			'it is missing, and with an https AUTH_URL codes are printed to the console only if you allow it. Set it to the key of your mail provider. Or set EMAIL_CONSOLE=allow if everyone who can read the console or its log may sign in as any user'
		);
	}
	return { kind: 'console' as const, ...emails };
};

const namesIn = (set: AccountSettings, prefix: string): readonly string[] =>
	Object.entries(set).flatMap(([name, value]) => (value === undefined ? [] : prefix + name));

export const namesOfProviders = (set: MailSettings): readonly string[] =>
	([FIRST, SECOND] as const).flatMap((prefix) => namesIn(set[prefix], prefix));

const fallbackOf = (
	set: AccountSettings,
	first: SmtpAccount,
	refuse: Refuse
): SmtpAccount | null => {
	if (namesIn(set, SECOND).length === 0) return null;
	if (set.API_KEY === undefined) {
		refuse(
			`${SECOND}API_KEY`,
			'it is missing, but other settings of the second provider are set. Set it to the key of that provider, or remove the others'
		);
		return null;
	}
	const account = accountOf(set, set.API_KEY, SECOND, refuse, first.from);
	if (account.host === first.host && account.port === first.port) {
		refuse(
			SECOND + (set.HOST === undefined ? 'SERVICE' : 'HOST'),
			`it is the mail server of the first provider too (${account.host}:${account.port}), so both would fail together. Name another provider`
		);
	}
	return account;
};
