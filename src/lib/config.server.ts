import { err, ok, type Result } from '#lib/domain/errors.ts';
import {
	parseChangeNotice,
	parseSignInLayout,
	parseSignUp,
	parseSwitch,
	type NoticeMoments
} from '#lib/config/account.ts';
import { isLocalhost, parseAuthUrl, parseOrigins } from '#lib/config/addresses.ts';
import { parseProxies, type TrustedProxies } from '#lib/config/proxies.ts';
import type { Checked } from '#lib/config/checked.ts';
import { readDatabase, type DatabaseSettings } from '#lib/config/database.ts';
import type { SignInLayout } from '#lib/sign-in-layouts.ts';
import { readMail, type MailAndHooks } from '#lib/config/mail.ts';
import { parsePreviousSecrets, parseSecret } from '#lib/config/secret.ts';
import {
	parseEmailBudget,
	parsePort,
	parseSiteName,
	parseSupportEmail
} from '#lib/config/values.ts';

/** The operator's settings, read once at start. */
export interface Config {
	readonly secret: string;
	/** Secrets that are being replaced. Values made with them stay valid until they are removed. */
	readonly previousSecrets: readonly string[];
	/** Scheme, host and port of `AUTH_URL`: the only source of the site's own origin. */
	readonly origin: string;
	/** Whether the public URL is https. Decides cookie names, cookie flags and HSTS. */
	readonly secure: boolean;
	readonly trustedOrigins: readonly string[];
	readonly trustedProxies: TrustedProxies;
	readonly database: DatabaseSettings;
	readonly mail: MailAndHooks;
	readonly emailChange: {
		/** Whether an account can move by a link as well as by a code. */
		readonly link: boolean;
		/** When the current address is notified of a change. */
		readonly notice: NoticeMoments;
		/** Whether a session that is not fresh first needs a code from the current address. */
		readonly reauthentication: boolean;
	};
	/** Whether the owner of an account is told about sign-ins on new devices. */
	readonly newDeviceNotices: boolean;
	/** Emails that clients may request in an hour. `off` counts nothing. */
	readonly emailBudget: number | 'off';
	/** Whether an unknown client proves some work before a code is sent. */
	readonly proofOfWork: boolean;
	/** Sign-in and sign-up as two pages, or as one for both. */
	readonly signInLayout: SignInLayout;
	/** Whether a code creates an account when there is none. */
	readonly signUp: 'open' | 'closed';
	readonly siteName: string;
	readonly supportEmail: string | null;
	readonly host: string;
	readonly port: number;
	/** Settings that are allowed but deserve a warning at start. */
	readonly warnings: readonly string[];
}

/** One line for the operator: which variable, why, and how to fix it. */
export interface ConfigProblem {
	readonly name: string;
	readonly why: string;
	readonly fix: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const describeProblem = ({ name, why, fix }: ConfigProblem): string =>
	`${name}: ${why}. ${fix}`;

/** Reads and checks the whole environment. Reports all problems together. */
export const readConfig = (env: Environment): Result<Config, readonly ConfigProblem[]> => {
	const problems: ConfigProblem[] = [];
	const warnings: string[] = [];
	const note = <T>(name: string, outcome: Checked<T>, otherwise: T): T => {
		if (outcome.ok) return outcome.value;
		problems.push({ name, ...outcome.error });
		return otherwise;
	};
	const value = (name: string): string | undefined => env[name]?.trim() || undefined;
	const findings = { value, note, warn: (line: string) => void warnings.push(line) };

	const secret = note('AUTH_SECRET', parseSecret(env['AUTH_SECRET']), '');
	const url = note(
		'AUTH_URL',
		parseAuthUrl(value('AUTH_URL'), value('AUTH_ALLOW_HTTP') === '1'),
		null
	);
	if (url?.protocol === 'http:' && !isLocalhost(url)) {
		warnings.push(
			`AUTH_URL ${url.origin} is plain http (AUTH_ALLOW_HTTP=1): anyone on the network path can read codes and sessions`
		);
	}
	const emailBudget = note('EMAIL_BUDGET', parseEmailBudget(value('EMAIL_BUDGET')), 'off');
	const isOn = (name: string, otherwise: 'on' | 'off'): boolean =>
		note(name, parseSwitch(value(name) ?? otherwise), false);
	const proxies = note('AUTH_TRUSTED_PROXIES', parseProxies(value('AUTH_TRUSTED_PROXIES')), {
		kind: 'none'
	});
	const config: Config = {
		secret,
		previousSecrets: note(
			'AUTH_SECRET_PREVIOUS',
			parsePreviousSecrets(env['AUTH_SECRET_PREVIOUS']),
			[]
		),
		origin: url?.origin ?? '',
		secure: url?.protocol === 'https:',
		trustedOrigins: note('AUTH_TRUSTED_ORIGINS', parseOrigins(value('AUTH_TRUSTED_ORIGINS')), []),
		trustedProxies: proxies,
		database: readDatabase(findings),
		mail: readMail(findings, url?.protocol === 'https:'),
		emailChange: {
			link: isOn('EMAIL_CHANGE_LINK', 'on'),
			notice: note('EMAIL_CHANGE_NOTICE', parseChangeNotice(value('EMAIL_CHANGE_NOTICE')), {
				before: false,
				after: true
			}),
			reauthentication: isOn('EMAIL_CHANGE_REPROOF', 'off')
		},
		newDeviceNotices: isOn('NOTICE_NEW_DEVICE', 'on'),
		emailBudget,
		proofOfWork: isOn('PROOF_OF_WORK', 'off'),
		signInLayout: note('AUTH_ENTRY', parseSignInLayout(value('AUTH_ENTRY')), 'split'),
		signUp: note('SIGN_UP', parseSignUp(value('SIGN_UP')), 'open'),
		siteName: note('SITE_NAME', parseSiteName(value('SITE_NAME')), ''),
		supportEmail: note('SUPPORT_EMAIL', parseSupportEmail(value('SUPPORT_EMAIL')), null),
		host: value('HOST') ?? (url && !isLocalhost(url) ? '0.0.0.0' : '127.0.0.1'),
		port: note('PORT', parsePort(value('PORT') ?? localPort(url)), 0),
		warnings
	};
	if (config.mail.kind === 'smtp' && emailBudget === 'off') {
		warnings.push(
			'EMAIL_BUDGET is off: clients can request any number of emails an hour. Set it to the most that your provider should send'
		);
	}
	return problems.length > 0 ? err(problems) : ok(config);
};

/**
 * A local public URL with a port has no proxy in front of it, so the server listens on that port.
 */
const localPort = (url: URL | null): string | undefined =>
	url !== null && isLocalhost(url) ? url.port || undefined : undefined;
