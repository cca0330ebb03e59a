import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked, type Findings } from './checked.ts';
import { readAccount, type SmtpAccount } from './mail-account.ts';
import { fallbackSettings, readFallback } from './mail-fallback.ts';
import { readMailHooks, type MailHooksConfig } from './mail-hooks.ts';
import { readTemplateFolder, type TemplateFolder } from './mail-templates.ts';

/** Where email goes: to the console, or through a mail server. */
export type MailConfig = ConsoleConfig | SmtpConfig;

interface LetterConfig {
	/** Whether subjects contain the code as well. */
	readonly codeInSubject: boolean;
	/** The operator's own templates. Null uses ours. */
	readonly templates: TemplateFolder | null;
}

interface ConsoleConfig extends LetterConfig {
	readonly kind: 'console';
}

export interface SmtpConfig extends SmtpAccount, LetterConfig {
	readonly kind: 'smtp';
	/** A second provider, for emails that the first does not take. */
	readonly fallback: SmtpAccount | null;
}

/** Where email goes, and how providers report bounces. */
export type MailAndHooks = MailConfig & { readonly hooks: MailHooksConfig };

const OTHER_SETTINGS = ['EMAIL_SERVICE', 'EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_USER', 'EMAIL_FROM'];

/**
 * `isHttps` means that the site is public, whatever `NODE_ENV` says. Such a site prints no codes
 * to the console unless the operator allows it. Its console is usually a log with many readers,
 * and a reader of codes can sign in as any user.
 */
export const readMail = (findings: Findings, isHttps: boolean): MailAndHooks => {
	const { value, note, warn } = findings;
	const allowed = note('EMAIL_CONSOLE', parseConsole(value('EMAIL_CONSOLE')), true);
	const codeInSubject = note(
		'EMAIL_CODE_IN_SUBJECT',
		parseCodeInSubject(value('EMAIL_CODE_IN_SUBJECT')),
		false
	);
	const templates = note('EMAIL_TEMPLATES', readTemplateFolder(value('EMAIL_TEMPLATES')), null);
	const letters = { codeInSubject, templates, hooks: readMailHooks(findings) };
	const key = value('EMAIL_API_KEY');
	if (key === undefined) {
		if (isHttps && !allowed) note('EMAIL_API_KEY', missingKey, null);
		const unused = OTHER_SETTINGS.filter((name) => value(name) !== undefined);
		if (unused.length > 0) {
			warn(
				`${unused.join(', ')} without EMAIL_API_KEY: no email is sent, and codes are printed here`
			);
		}
		if (fallbackSettings(findings).length > 0) note('EMAIL_API_KEY', missingFirst, null);
		return { kind: 'console', ...letters };
	}
	const account = readAccount(findings, key);
	const fallback = readFallback(findings, account);
	return { kind: 'smtp', ...account, fallback, ...letters };
};

const missingFirst = refuse(
	'it is missing, but settings of a second provider (EMAIL_FALLBACK_…) are set',
	'Set it to the key of the first provider, or remove the others'
);
const missingKey = refuse(
	'it is missing, and with an https AUTH_URL codes are printed to the console only if you allow it',
	'Set it to the key of your mail provider. Or set EMAIL_CONSOLE=allow if everyone who can read the console or its log may sign in as any user'
);
const parseConsole = (value: string | undefined): Checked<boolean> =>
	value === undefined || value === 'allow'
		? ok(value === 'allow')
		: refuse(`"${value}" is not a valid value`, 'Set it to allow, or remove it');

const parseCodeInSubject = (value = 'off'): Checked<boolean> =>
	value === 'on' || value === 'off'
		? ok(value === 'on')
		: refuse(`"${value}" is not a valid value`, 'Set it to on or off');
