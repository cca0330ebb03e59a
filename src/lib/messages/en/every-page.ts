export const language = 'en';

export const direction = 'ltr';

/** Made once: to make one takes as long as much of a page, and leaves memory that is hard to reuse. */
let days: Intl.DateTimeFormat | null = null;

export const common = {
	skipToContent: 'Skip to content',
	signIn: 'Sign in',
	signUp: 'Sign up',
	signOut: 'Sign out',
	pending: 'One moment…',
	unreachable: 'The server did not answer. Please check your connection and try again.',
	title: (page: string, site: string): string => `${page} · ${site}`,
	date: (date: Date): string => {
		days ??= new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
		return days.format(date);
	}
};

export const header = {
	home: (site: string): string => `${site}, home page`,
	docs: 'Docs',
	account: 'Your account'
};

export const footer = {
	label: 'More about this site',
	changelog: 'Changelog',
	roadmap: 'Roadmap',
	contact: 'Contact'
};

export const theme = {
	label: 'How this site looks',
	system: 'System',
	light: 'Light',
	dark: 'Dark'
};

/** What describes a fault in one sentence; the page around it is `faultPages`. */
export const faults = {
	notFound: 'There is nothing at this address.',
	elsewhere: 'Something failed on the way here. Please go back and try again.',
	foreignForm: (origin: string): string =>
		`This form came from another address than ${origin}. Please open the page there and try again.`,
	noCookie:
		'Your browser did not send back our cookie, and without it nobody can sign in. Please allow cookies for this site, reload the page and try again.',
	formTooLarge: 'This form is too large. Go back, shorten what you entered, and try again.',
	staleForm:
		'This form can no longer be sent. Please go back, reload the page and try again; cookies must be allowed.',
	tooOften: (seconds: number): string =>
		`That was too often. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}, then try again.`,
	badMethod: 'This page doesn’t accept this kind of request.',
	badRequest: 'The server could not make sense of this request.',
	unavailable: 'The service is unavailable right now. Please try again in a moment.',
	internal: 'Something went wrong on our side. It has been noted.'
};

export const faultPages = {
	notFound: {
		title: 'Page not found',
		advice: 'The link may be old, or the address may have a typo.'
	},
	request: {
		title: 'That did not work',
		advice: 'Go back and try again, or start over.'
	},
	unavailable: {
		title: 'Back in a moment',
		advice: 'It usually takes only a few seconds.'
	},
	internal: {
		title: 'Something went wrong',
		advice: 'Trying again may help. If it does not, please come back later.'
	},
	retry: 'Try again',
	home: 'Go to the home page',
	status: (status: number): string => `Error ${status}`
};
