/** On all three pages, `title` is that of the document, which also names the site. */
export const signIn = {
	title: 'Sign in',
	heading: (site: string): string => `Sign in to ${site}`,
	other: 'No account yet?',
	otherLink: 'Sign up'
};

export const signUp = {
	title: 'Create your account',
	heading: (site: string): string => `Create your ${site} account`,
	other: 'Already have an account?',
	otherLink: 'Sign in'
};

export const login = {
	title: 'Sign in or sign up',
	heading: (site: string): string => `Sign in to ${site}`,
	lede: 'New here? We’ll create an account for you.'
};

export const emailStep = {
	label: 'Email address',
	submit: 'Send me a code',
	sending: 'Sending…',
	pending: 'I already have a code',
	sends: 'We’ll email you a code.',
	/** To a person who signed in too long ago. */
	againTitle: 'Confirm it’s you',
	notAgain: 'Not now',
	again: (email: string): string =>
		`You signed in a while ago. To continue, we’ll email a code to ${email}.`,
	continueAs: (email: string): string => `Continue as ${email}`,
	bouncedTitle: 'We couldn’t deliver the email',
	bounced: 'Correct the address, or try again.',
	sendThere: (email: string): string => `Mistyped? Send to ${email} instead`
};

export const code = {
	/** The email address follows a text. */
	states: {
		sent: { title: 'Check your email', text: 'We sent a code to' },
		resent: { title: 'Check your email', text: 'We sent another code to' },
		expired: { title: 'This code has expired', text: 'We can send a new code to' },
		exhausted: { title: 'Too many wrong codes', text: 'We can send a new code to' },
		elsewhere: {
			title: 'You need a new code',
			text: 'A code works only in the browser or app that requested it. We can send a new code to'
		}
	},
	other: 'Use another address',
	openInbox: (name: string): string => `Open ${name}`,
	/** `digits` is null if codes contain letters. After a second code, earlier ones no longer work. */
	label: (digits: number | null, isSecond = false): string =>
		(digits === null ? 'Code' : `${digits}-digit code`) +
		(isSecond ? ' from the newest email' : ''),
	validUntil: (time: string): string => `Valid until ${time}`,
	attempts: (left: number): string => (left === 1 ? 'One attempt left.' : `${left} attempts left.`),
	submit: 'Continue',
	checking: 'Checking…',
	resend: 'Send a new code',
	resendHere: 'Send a new code to this browser',
	sentAt: (time: string): string => `Sent at ${time}`
};

/** Errors in a code that the page finds before it sends the code. */
export const inputErrors = {
	emptyCode: 'Enter the code from the email.',
	incompleteDigits: (length: number): string => `Enter all ${length} digits.`,
	incompleteCode: (length: number): string => `Enter all ${length} characters.`
};
