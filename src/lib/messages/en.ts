/** Every text that people read, in English. Another language is another value of this shape. */
export const en = {
	language: 'en',
	direction: 'ltr',
	common: {
		skipToContent: 'Skip to content',
		signIn: 'Sign in',
		signUp: 'Sign up',
		signOut: 'Sign out',
		title: (page: string, site: string): string => `${page} · ${site}`
	},
	errors: {
		invalidEmail: 'That is not an email address we can send to. Please check it.',
		emptyEmail: 'Please enter your email address.',
		tooManySends: (minutes: number): string =>
			minutes === 1
				? 'Too many codes were sent to this address. Please try again in a minute.'
				: `Too many codes were sent to this address. Please try again in ${minutes} minutes.`,
		deliveryFailed: 'We could not send the mail. Please try again in a moment.',
		emptyCode: 'Please enter the code from the mail.',
		incompleteCode: (length: number): string => `The code has ${length} characters. Please check it.`,
		invalidCode: 'That code is not right. Please check the newest mail, or ask for a new code.',
		invalidCodeAttempts: (left: number): string =>
			left === 0
				? 'That code is not right, and it has no attempts left. Please ask for a new one.'
				: left === 1
					? 'That code is not right. You have one attempt left.'
					: `That code is not right. You have ${left} attempts left.`,
		expiredCode: 'That code has expired. Please ask for a new one.',
		tooManyAttempts: 'There were too many wrong attempts. Please ask for a new code.',
		resendTooSoon: (seconds: number): string =>
			seconds === 1
				? 'You can ask for another code in one second.'
				: `You can ask for another code in ${seconds} seconds.`
	}
} as const;
