/** What is known about the records of a mail provider. */
export interface ProviderRecords {
	/**
	 * The domain of the return path, which SPF is about: that of `EMAIL_FROM`, a subdomain of it, or
	 * one that belongs to the provider unless the operator sets another.
	 */
	readonly returnPath: 'from' | 'provider' | { readonly label: string };
	/** What SPF records include to permit its servers. */
	readonly include: string | null;
	/** The selectors of its DKIM keys. Empty if each customer has others. */
	readonly selectors: readonly string[];
	/** Where the DKIM record of a selector is an alias for. Null if the account shows it. */
	readonly dkimAlias: ((selector: string, domain: string) => string) | null;
}

const provider = (
	returnPath: ProviderRecords['returnPath'],
	include: string | null,
	selectors: readonly string[],
	dkimAlias: ProviderRecords['dkimAlias'] = null
): ProviderRecords => ({ returnPath, include, selectors, dkimAlias });

/** By the domain of the SMTP server. Values as the providers document them in 2026. */
const PROVIDERS: Readonly<Record<string, ProviderRecords>> = {
	'resend.com': provider({ label: 'send' }, 'amazonses.com', ['resend']),
	'postmarkapp.com': provider('provider', 'spf.mtasv.net', []),
	'amazonaws.com': provider('provider', 'amazonses.com', []),
	'sendgrid.net': provider('provider', 'sendgrid.net', ['s1', 's2']),
	'mailgun.org': provider('from', 'mailgun.org', ['pdk1', 'pdk2', 'k1', 'mx', 'smtp', 'mailo']),
	'mailjet.com': provider('provider', 'spf.mailjet.com', ['mailjet']),
	'brevo.com': provider('provider', 'spf.brevo.com', ['brevo1', 'brevo2', 'mail']),
	'gmail.com': provider('from', '_spf.google.com', ['google']),
	'office365.com': provider('from', 'spf.protection.outlook.com', ['selector1', 'selector2']),
	'fastmail.com': provider(
		'from',
		'spf.messagingengine.com',
		['fm1', 'fm2', 'fm3'],
		(selector, domain) => `${selector}.${domain}.dkim.fmhosted.com`
	),
	'mail.me.com': provider(
		'from',
		'icloud.com',
		['sig1'],
		(selector, domain) => `${selector}.dkim.${domain}.at.icloudmailadmin.com`
	)
};

/** A server of one's own sends with the address of `EMAIL_FROM`, and its selector is unknown. */
const OWN_SERVER = provider('from', null, []);

export const recordsOf = (smtpHost: string): ProviderRecords =>
	Object.entries(PROVIDERS).find(
		([domain]) => smtpHost === domain || smtpHost.endsWith(`.${domain}`)
	)?.[1] ?? OWN_SERVER;

/** Selectors that mail servers use by default. Looked up when none is known. */
export const USUAL_SELECTORS = [
	'default',
	'mail',
	'dkim',
	's1',
	'selector1',
	'k1',
	'key1'
] as const;
