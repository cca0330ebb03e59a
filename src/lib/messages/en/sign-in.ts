/** On all three pages, `title` is that of the document, which also names the site. */
export const signIn = {
	title: 'Sign in',
	heading: (site: string): string => `Sign in to ${site}`,
	lede: 'We’ll email you a code.',
	other: 'No account yet?',
	otherLink: 'Sign up'
};

export const signUp = {
	title: 'Create your account',
	heading: (site: string): string => `Create your ${site} account`,
	lede: 'We’ll email you a code. There’s no password to choose.',
	other: 'Already have an account?',
	otherLink: 'Sign in'
};

export const login = {
	title: 'Sign in or sign up',
	heading: (site: string): string => `Sign in to ${site}`,
	lede: 'We’ll email you a code, whether or not you have an account.'
};

export const address = {
	label: 'Email address',
	submit: 'Send me a code',
	sending: 'Sending…',
	pending: (email: string): string => `Enter the code sent to ${email}`,
	meant: (email: string): string => `Did you mean ${email}?`,
	sendThere: 'Send a code there'
};

export const code = {
	title: 'Check your email',
	sentTo: 'We sent a code to',
	other: 'Use another email address',
	openInbox: (name: string): string => `Open ${name}`,
	label: 'Code',
	hint: (length: number): string => `${length} characters, from the newest email.`,
	hintDigits: (length: number): string => `${length} digits, from the newest email.`,
	lives: (minutes: number): string =>
		minutes === 1
			? 'The code works for one more minute.'
			: `The code works for another ${minutes} minutes.`,
	attempts: (left: number): string =>
		left === 1 ? 'You have one attempt left.' : `You have ${left} attempts left.`,
	submit: 'Continue',
	checking: 'Checking…',
	expired: 'This code has expired. Request a new one.',
	exhausted: 'Too many wrong attempts. Request a new code.',
	/** A code works only in the browser that requested it. */
	anotherDevice: 'Reading email on another device? Type the code here, in this browser.',
	bouncedTitle: 'Check the email address',
	bounced: (email: string): string =>
		`We couldn’t deliver our email to ${email}. If the address is right, request another code.`,
	correct: 'Correct the email address',
	missing: 'No email? Check your spam folder.',
	resent: 'We sent a new code. Earlier codes no longer work.',
	resend: 'Send a new code',
	resendAgain: 'Send again',
	/** Without JavaScript, when the time on the disabled button is over. */
	reload: 'After that, reload this page'
};

/** Errors in a code that the page finds before it sends the code. */
export const inputErrors = {
	emptyCode: 'Enter the code from the email.',
	incompleteDigits: (length: number): string => `The code has ${length} digits.`,
	incompleteCode: (length: number): string => `The code has ${length} characters.`
};
