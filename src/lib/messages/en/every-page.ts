export const language = 'en';

export const direction = 'ltr';

/** A calendar date. A page has many, and `Intl` takes ten times as long. */
const day = (date: Date): string => date.toUTCString().slice(5, 16).replace(/^0/, '');

const clock = (at: Date): string => at.toISOString().slice(11, 16);

export const common = {
	skipToContent: 'Skip to content',
	signIn: 'Sign in',
	signUp: 'Sign up',
	signOut: 'Sign out',
	cancel: 'Cancel',
	pending: 'One moment…',
	/** When a disabled button works again: in `42 s`, or from one minute in `12 min 5 s`. */
	availableIn: (seconds: number): string => {
		if (seconds < 60) return `Available in ${seconds} s`;
		const rest = seconds % 60 === 0 ? '' : ` ${seconds % 60} s`;
		return `Available in ${Math.floor(seconds / 60)} min${rest}`;
	},
	/** After that, without JavaScript. A link follows. */
	then: '. Then',
	thenReload: 'reload this page',
	reload: 'Reload this page',
	unreachable: 'The server didn’t respond. Check your connection and try again.',
	title: (page: string, site: string): string => `${page} · ${site}`,
	justNow: 'just now',
	/** A date without its time zone, such as that of a release. */
	day,
	/** The day and the time of an instant, as the server writes them. */
	date: (at: Date): string => `${day(at)} (UTC)`,
	timeOfDay: (at: Date): string => `${clock(at)} UTC`,
	/** Under a heading that names the time zone. */
	clock,
	moment: (at: Date, zone = ' UTC'): string => `${day(at)} at ${clock(at)}${zone}`
};

/** One line on the page that a person reaches for this reason. */
export const flashes = {
	'signed-out': 'You’re signed out.',
	'account-created': 'We created your account.',
	'session-ended': 'You were signed out on this device.',
	'session-expired': 'Your session has expired.',
	'account-restored': 'Your account was restored, with all its data.',
	'email-restored':
		'Your email address was changed back, and all devices were signed out. Sign in to check your settings.',
	'email-changed': 'Your email address was changed. All other devices were signed out.'
};

/** The flash messages that say that something was done. The others state a fact. */
export const successFlashes: readonly string[] = [
	'account-created',
	'account-restored',
	'email-restored',
	'email-changed'
] satisfies readonly (keyof typeof flashes)[];

export const header = {
	home: (site: string): string => `${site}, home page`,
	account: 'Your account'
};

export const footer = {
	label: 'More about this site',
	docs: 'API reference',
	changelog: 'Changelog',
	roadmap: 'Roadmap',
	contact: 'Help'
};

/** Responses with status 403 or 429. The browser shows their text and needs no copy of it. */
export const refusals = {
	foreignForm: (origin: string): string =>
		`This form was sent from another site, so we refused it. Go to ${origin} and try again.`,
	staleForm: 'This form has expired. Open the page again, and allow cookies for this site.',
	tooOftenNow:
		'Too many requests came from your network. Wait, or use another network and reload this page.',
	tooOften: (seconds: number): string =>
		`Too many requests came from your network. ${common.availableIn(seconds)}.`
};

export const faults = {
	noCookie: 'To continue, allow cookies for this site, and load the page again.',
	notFound: 'This page doesn’t exist.',
	elsewhere: 'Something went wrong. Sign in to continue.',
	formTooLarge: 'This form is too large. Shorten what you entered, and try again.',
	badMethod: 'This page doesn’t accept this kind of request.',
	badRequest: 'The server couldn’t understand this request.',
	unavailable: 'The service is unavailable right now. Try again in a moment.',
	internal: 'Something went wrong on our side. We’ve logged the error.'
};

/** A page shows its own error as `faults`, unless it has a text here. */
export const faultPages = {
	notFound: {
		title: 'Page not found',
		text: 'Check the web address.'
	},
	request: { title: 'That didn’t work' },
	unavailable: {
		title: 'Temporarily unavailable',
		text: 'Try again in a few minutes.'
	},
	internal: {
		title: 'Something went wrong',
		text: 'If it happens again, come back later.'
	},
	retry: 'Try again',
	home: 'Go to the home page',
	back: 'Back'
};
