export const signIn = {
	title: 'Sign in',
	lede: 'We will send a code to your email address.',
	other: 'No account yet?',
	otherLink: 'Sign up'
};

export const signUp = {
	title: 'Create your account',
	lede: 'We will send a code to your email address. There is no password to choose.',
	other: 'Have an account already?',
	otherLink: 'Sign in'
};

export const login = {
	title: 'Sign in or sign up',
	lede: 'New here or not, we will send a code to your email address. There is no password.'
};

export const address = {
	label: 'Email address',
	submit: 'Send me a code',
	waiting: (email: string): string => `Enter the code sent to ${email}`,
	meant: (email: string): string => `Did you mean ${email}?`,
	sendThere: 'Send it there'
};

export const code = {
	title: 'Check your mail',
	sentTo: 'We sent a code to',
	other: 'Use another address',
	openInbox: (name: string): string => `Open ${name}`,
	label: 'Code',
	hint: (length: number): string => `${length} characters, from the newest mail.`,
	hintDigits: (length: number): string => `${length} digits, from the newest mail.`,
	lives: (minutes: number): string =>
		minutes === 1
			? 'The code works for one more minute.'
			: `The code works for another ${minutes} minutes.`,
	attempts: (left: number): string =>
		left === 1 ? 'You have one attempt left.' : `You have ${left} attempts left.`,
	submit: 'Continue',
	expired: 'This code has expired. Send a new one to go on.',
	exhausted: 'This code had too many wrong attempts. Send a new one to go on.',
	missing: 'No mail? Look into the spam folder as well.',
	resent: 'A new code is on its way. Earlier ones no longer work.',
	resend: 'Send a new code',
	resendAgain: 'Send again',
	resendIn: (seconds: number): string => `in ${seconds} s`
};

/** What is wrong with a code before anybody has compared it. */
export const inputErrors = {
	emptyCode: 'Please enter the code from the mail.',
	incompleteDigits: (length: number): string => `The code has ${length} digits. Please check it.`,
	incompleteCode: (length: number): string => `The code has ${length} characters. Please check it.`
};
