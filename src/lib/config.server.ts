import { z } from 'zod';
import { brand } from '#lib/brand/brand.ts';
import {
	isLocalhost,
	publicUrl,
	SHELL_ORIGINS,
	trustedOrigins,
	trustedProxies
} from '#lib/config/addresses.ts';
import { forwardAllow } from '#lib/config/forward-allow.ts';
import { databaseConfig, databaseSettings, exposureOf } from '#lib/config/database.ts';
import { plainEmail } from '#lib/config/mail-account.ts';
import { mailConfig, mailSettings, namesOfProviders, type MailConfig } from '#lib/config/mail.ts';
import { bearerSecret, previousSecrets, secret } from '#lib/config/secret.ts';
import {
	invalid,
	oneOf,
	onOff,
	parsed,
	permission,
	port,
	quoted,
	readSettings,
	wholeNumber,
	type Environment,
	type Refuse
} from '#lib/config/settings.ts';
import type { Result } from '#lib/domain/errors.ts';

/** Every setting. `.env.example` describes them for operators, and a test compares the names. */
const settings = z.object({
	AUTH_SECRET: secret,
	AUTH_SECRET_PREVIOUS: previousSecrets.default([]),
	AUTH_URL: publicUrl,
	AUTH_ALLOW_HTTP: permission,
	AUTH_TRUSTED_ORIGINS: trustedOrigins.default(SHELL_ORIGINS),
	AUTH_TRUSTED_PROXIES: trustedProxies.default({ kind: 'private' }),
	AUTH_ENTRY: oneOf('split', 'single').default('split'),
	SIGN_UP: oneOf('open', 'closed').default('open'),
	PROOF_OF_WORK: onOff.default(false),
	NOTICE_NEW_DEVICE: onOff.default(true),
	DOCS: onOff.default(true),
	ADMIN: onOff.default(false),
	METRICS_TOKEN: bearerSecret.optional(),
	OIDC: onOff.default(false),
	OIDC_PRIVATE_CLIENTS: onOff.default(false),
	FORWARD_ALLOW: forwardAllow.optional(),
	EMAIL_CHANGE_LINK: onOff.default(true),
	EMAIL_CHANGE_REPROOF: onOff.default(false),
	EMAIL_CHANGE_NOTICE: z
		.enum(
			['before', 'after', 'before,after', 'after,before', 'off'],
			invalid('before, after, both as before,after, or off')
		)
		.default('after'),
	EMAIL_BUDGET: z
		.union(
			[z.literal('off'), wholeNumber(9_999_999)],
			quoted(
				'is not a number of emails. Set it to the most emails that clients may request in an hour, from 1 to 9999999, or to off'
			)
		)
		.default('off'),
	EVENTS_DAYS: wholeNumber(9999, 'is not a number of days. Use 1 to 9999').default(90),
	LOG_CLIENT: oneOf('off', 'prefix', 'full').default('prefix'),
	SITE_NAME: z
		.string()
		.regex(
			/^(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,60}$/u,
			'it is too long, has several lines, or has characters that cannot be seen. Use at most 60 characters on one line'
		)
		.default(brand.name),
	SUPPORT_EMAIL: parsed(plainEmail).nullable().prefault(brand.supportEmail),
	HOST: z.string().optional(),
	PORT: port.optional(),
	...databaseSettings,
	...mailSettings
});
type Settings = z.output<typeof settings>;

/** The operator's settings, read once at start. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/** Reads and checks the whole environment. The error has one line for each wrong setting. */
export const readConfig = (env: Environment): Result<Config, readonly string[]> =>
	readSettings(settings, env, configOf);

const configOf = (set: Settings, refuse: Refuse) => {
	const url = set.AUTH_URL;
	const secure = url.protocol === 'https:';
	refuseContradictions(set, refuse);
	const database = databaseConfig(set, refuse);
	const mail = mailConfig(set, secure, refuse);
	return {
		secret: set.AUTH_SECRET,
		/** Secrets that are being replaced. Values made with them stay valid until they are removed. */
		previousSecrets: set.AUTH_SECRET_PREVIOUS,
		/** Scheme, host and port of `AUTH_URL`: the only source of the site's own origin. */
		origin: url.origin,
		/** Whether the public URL is https. Decides cookie names, cookie flags and HSTS. */
		secure,
		trustedOrigins: set.AUTH_TRUSTED_ORIGINS,
		trustedProxies: set.AUTH_TRUSTED_PROXIES,
		signInLayout: set.AUTH_ENTRY,
		signUp: set.SIGN_UP,
		proofOfWork: set.PROOF_OF_WORK,
		newDeviceNotices: set.NOTICE_NEW_DEVICE,
		emailChange: {
			link: set.EMAIL_CHANGE_LINK,
			reauthentication: set.EMAIL_CHANGE_REPROOF,
			/** When the current email address gets a notice. */
			noticeStages: [
				...(set.EMAIL_CHANGE_NOTICE.includes('before') ? ['requested' as const] : []),
				...(set.EMAIL_CHANGE_NOTICE.includes('after') ? ['completed' as const] : [])
			]
		},
		docs: set.DOCS,
		operatorPages: set.ADMIN,
		/** What Prometheus sends to read `/metrics`. Null if the path does not exist. */
		metricsToken: set.METRICS_TOKEN ?? null,
		/** Null when no application can sign in here. */
		oidc: set.OIDC ? { mayCallPrivateAddresses: set.OIDC_PRIVATE_CLIENTS } : null,
		/** Who may use applications whose proxy asks here. Null if no proxy may ask. */
		forwardAllow: set.FORWARD_ALLOW ?? null,
		emailBudget: set.EMAIL_BUDGET,
		eventsDays: set.EVENTS_DAYS,
		logClient: set.LOG_CLIENT,
		siteName: set.SITE_NAME,
		supportEmail: set.SUPPORT_EMAIL,
		host: set.HOST ?? defaultHost(url),
		// A local public URL with a port has no proxy in front of it.
		port: set.PORT ?? ((isLocalhost(url) && Number(url.port)) || 3000),
		database,
		mail,
		/** By this, the server authenticates reports of each mail provider. Null: it accepts none. */
		mailHooks: {
			resend: set.EMAIL_HOOK_RESEND ?? null,
			postmark: set.EMAIL_HOOK_POSTMARK ?? null,
			ses: set.EMAIL_HOOK_SES ?? null
		},
		/** Lines about settings that are allowed but deserve attention. */
		warnings: warningsOf(set, database, mail)
	};
};

/** Without a proxy in front of it, the server listens on the address that the URL names. */
const defaultHost = (url: URL): string => {
	if (!isLocalhost(url)) return '0.0.0.0';
	return url.hostname === '[::1]' ? '::1' : '127.0.0.1';
};

/** Whether anyone on the network could read what this origin sends and gets. */
const isExposed = (url: URL): boolean => url.protocol !== 'https:' && !isLocalhost(url);

const refuseContradictions = (set: Settings, refuse: Refuse): void => {
	const url = set.AUTH_URL;
	if (isExposed(url) && set.AUTH_ALLOW_HTTP !== '1') {
		refuse(
			'AUTH_URL',
			`plain http on ${url.hostname} would expose codes and sessions to the network. Use https, or set AUTH_ALLOW_HTTP=1 if you accept this`
		);
	}
	if (set.FORWARD_ALLOW !== undefined && set.AUTH_TRUSTED_PROXIES.kind === 'none') {
		refuse(
			'FORWARD_ALLOW',
			'every check by a proxy would be refused, because no proxy is trusted. List yours in AUTH_TRUSTED_PROXIES, or remove FORWARD_ALLOW'
		);
	}
};

const warningsOf = (
	set: Settings,
	database: ReturnType<typeof databaseConfig>,
	mail: MailConfig
): readonly string[] => {
	const url = set.AUTH_URL;
	const unused = mail.kind === 'console' ? namesOfProviders(set) : [];
	const warnings = [
		isExposed(url) &&
			`AUTH_URL ${url.origin} is plain http (AUTH_ALLOW_HTTP=1): anyone on the network path can read codes and sessions`,
		exposureOf(database.access),
		unused.length > 0 &&
			`${unused.join(', ')} without EMAIL_API_KEY: no email is sent, and codes are printed here`,
		set.FORWARD_ALLOW === '*' &&
			set.SIGN_UP === 'open' &&
			'FORWARD_ALLOW is * and SIGN_UP is open: everybody with an email address can use the applications behind the proxy',
		mail.kind === 'smtp' &&
			set.SUPPORT_EMAIL === null &&
			'SUPPORT_EMAIL is missing: pages and emails name nobody who helps. Set it to an email address that you read',
		mail.kind === 'smtp' &&
			set.EMAIL_BUDGET === 'off' &&
			'EMAIL_BUDGET is off: clients can request any number of emails an hour. Set it to the most that your provider should send'
	];
	return warnings.filter((line) => typeof line === 'string');
};
