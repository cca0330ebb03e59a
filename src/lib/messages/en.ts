/** Every text that people read, in English. Another language is another value of this shape. */
export const en = {
	language: 'en',
	direction: 'ltr',
	common: {
		skipToContent: 'Skip to content',
		signIn: 'Sign in',
		signUp: 'Sign up',
		signOut: 'Sign out',
		pending: 'One moment…',
		unreachable: 'The server did not answer. Please check your connection and try again.',
		title: (page: string, site: string): string => `${page} · ${site}`,
		date: (date: Date): string =>
			new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(date)
	},

	header: {
		home: (site: string): string => `${site}, home page`,
		account: 'Your account'
	},

	home: {
		title: 'Sign in without a password',
		lede: 'Tell us your email address, we send you a short code, you type it in. There is no password to choose, to forget or to lose.',
		openApp: 'Open your account',
		stepsTitle: 'How it works',
		steps: [
			{ title: 'Your address', text: 'New here or not, an email address is all it takes.' },
			{
				title: 'A code by mail',
				text: 'It works once, and only in the browser that asked for it.'
			},
			{
				title: 'You are in',
				text: 'This device remembers you until you sign out or stay away for long.'
			}
		]
	},

	signIn: {
		title: 'Sign in',
		lede: 'We will send a code to your email address.',
		other: 'No account yet?',
		otherLink: 'Sign up'
	},

	signUp: {
		title: 'Create your account',
		lede: 'We will send a code to your email address. There is no password to choose.',
		other: 'Have an account already?',
		otherLink: 'Sign in'
	},

	address: {
		label: 'Email address',
		submit: 'Send me a code',
		waiting: (email: string): string => `Enter the code sent to ${email}`
	},

	code: {
		title: 'Check your mail',
		sentTo: 'We sent a code to',
		other: 'Use another address',
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
	},

	signOut: {
		title: 'Sign out',
		lede: 'You are signed in as',
		text: 'Signing out ends the session of this browser. Other devices stay signed in.',
		stay: 'Stay signed in'
	},

	app: {
		title: 'Your account',
		greeting: 'You are in.',
		greetingByName: (name: string): string => `You are in, ${name}.`,
		lede: 'Only people who are signed in can see this page.',
		email: 'Email address',
		since: 'Member since',
		whyTitle: 'Why this page is protected',
		why: 'It is not on the list of public pages, and everything that is not on that list needs a session. Your own pages go in src/routes and are protected the same way, without a line of code.'
	},

	/** What describes a fault in one sentence; the page around it is `faultPages`. */
	faults: {
		notFound: 'There is nothing at this address.',
		foreignForm: (origin: string): string =>
			`This form came from another address than ${origin}. Please open the page there and try again.`,
		staleForm:
			'This form can no longer be sent. Please go back, reload the page and try again; cookies must be allowed.',
		tooOften: (seconds: number): string =>
			`That was too often. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}, then try again.`,
		badRequest: 'The server could not make sense of this request.',
		unavailable: 'The service is unavailable right now. Please try again in a moment.',
		internal: 'Something went wrong on our side. It has been noted.'
	},

	faultPages: {
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
	},

	/** Mails. What a person typed in, a name for example, has no place in them. */
	mail: {
		help: (email: string): string => `Questions? Write to ${email}.`,
		/** How to object, depending on whether the site names an address for that. */
		objectTo: (email: string): string => `Was this not you? Write to ${email} at once.`,
		object: (site: string): string => `Was this not you? Tell the people who run ${site} at once.`,
		time: (minutes: number): string =>
			minutes === 1 ? 'one minute' : minutes === 60 ? 'one hour' : `${minutes} minutes`,
		moment: (date: Date): string =>
			new Intl.DateTimeFormat('en', {
				dateStyle: 'long',
				timeStyle: 'short',
				timeZone: 'UTC'
			}).format(date) + ' UTC',
		code: {
			subject: (site: string): string => `Your sign-in code for ${site}`,
			heading: 'Your sign-in code',
			intro: (site: string): string => `Enter this code to sign in to ${site}:`,
			lives: (time: string): string => `It works once and expires after ${time}.`,
			ignore: (site: string): string =>
				`If you did not ask for it, ignore this mail: without the code nobody gets in. Nobody from ${site} will ever ask you for this code, so keep it to yourself.`,
			preheader: (time: string): string =>
				`It works once and expires after ${time}. If you did not ask for it, ignore this mail.`
		},
		welcome: {
			subject: (site: string): string => `Welcome to ${site}`,
			heading: (site: string): string => `Welcome to ${site}`,
			intro: (email: string): string => `Your account for ${email} is ready.`,
			how: 'There is no password. Whenever you sign in, a new code comes to this address.',
			open: 'Open your account',
			preheader: 'Your account is ready. There is no password to remember.'
		},
		verification: {
			subject: (site: string): string => `Confirm your address for ${site}`,
			heading: 'Confirm your address',
			signUp: (site: string): string =>
				`Somebody signed up at ${site} with this address. Confirm it if that was you.`,
			change: (account: string, site: string): string =>
				`The account ${account} at ${site} asks to use this address from now on. Confirm only if that account is yours.`,
			confirm: 'Confirm this address',
			lives: (time: string): string => `The link works once, within ${time}.`,
			fallback: 'If the button does nothing, open this address:',
			ignore: 'If you did not ask for this, ignore this mail and nothing will change.',
			preheader: (time: string): string =>
				`The link works once, within ${time}. If you did not ask for it, ignore this mail.`
		},
		addressChanged: {
			requested: {
				subject: (site: string): string => `A change of your address at ${site} was asked for`,
				heading: 'Change of address asked for',
				intro: (to: string, site: string): string =>
					`Somebody who is signed in to your account at ${site} asked to change its address to ${to}.`,
				detail: (at: string): string =>
					`Asked for on ${at}. Nothing changes unless the new address is confirmed.`
			},
			completed: {
				subject: (site: string): string => `Your address at ${site} was changed`,
				heading: 'Your address was changed',
				intro: (to: string, site: string): string =>
					`Your account at ${site} now belongs to ${to}. Codes no longer come to this address.`,
				detail: (at: string): string => `Changed on ${at}. All other devices were signed out.`
			},
			preheader: 'If this was not you, object at once.'
		},
		check: {
			subject: (site: string): string => `Test mail from ${site}`,
			heading: 'Mail works',
			intro: (site: string): string => `${site} can send mail to this address.`,
			detail: 'It was sent by npm run mail:check. There is nothing to do.',
			ignore: 'Landed in the spam folder? Check SPF, DKIM and DMARC of the sending domain.',
			preheader: 'Nothing to do.'
		}
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
		incompleteDigits: (length: number): string => `The code has ${length} digits. Please check it.`,
		incompleteCode: (length: number): string =>
			`The code has ${length} characters. Please check it.`,
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
