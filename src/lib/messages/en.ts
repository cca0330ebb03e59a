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
		docs: 'Docs',
		account: 'Your account'
	},

	footer: {
		label: 'More about this site',
		changelog: 'Changelog',
		roadmap: 'Roadmap',
		contact: 'Contact'
	},

	theme: {
		label: 'How this site looks',
		system: 'System',
		light: 'Light',
		dark: 'Dark'
	},

	contact: {
		title: 'Contact',
		lede: (site: string): string => `A question, a problem, or something strange about ${site}?`,
		writeTitle: 'Write to us',
		from: 'Please write from the address of your account, if you can still read its mail.',
		none: 'No address to write to is set up here yet.',
		operator: 'Whoever runs this site can name one: it is the setting SUPPORT_EMAIL.',
		topics: [
			{
				title: 'No code arrives',
				text: 'Look into the spam folder and make sure there is no typo in the address. Mail can take some minutes; the newest code is the one that works.'
			},
			{
				title: 'A code you did not ask for',
				text: 'Somebody typed in your address, perhaps by mistake. Nobody gets in with it but who has the code, so ignore the mail and give the code to nobody. We will never ask you for one.'
			},
			{
				title: 'You cannot read your mail any more',
				text: 'If you are still signed in anywhere, change your address in the settings there. Otherwise write to us.'
			},
			{
				title: 'Something is not secure',
				text: 'Please tell us before you tell others, with the steps to see it. We answer and keep you informed.'
			}
		]
	},

	roadmap: {
		title: 'Roadmap',
		lede: 'What comes next, in this order, without dates.',
		stages: [
			{
				name: 'Now',
				about: 'Being worked on.',
				plans: [
					{
						title: 'As fast as an empty endpoint',
						text: 'Sessions kept in memory, exactly as revocable as before, and a benchmark that anybody can repeat.'
					}
				]
			},
			{
				name: 'Next',
				about: 'Decided, not begun.',
				plans: [
					{
						title: 'More languages',
						text: 'All texts are one catalogue already; another language is another file of the same shape.'
					},
					{
						title: 'Limits shared by all instances',
						text: 'The limits per client are counted by each instance for itself. Those per address are shared.'
					}
				]
			},
			{
				name: 'Later',
				about: 'Good ideas that need thought.',
				plans: [
					{
						title: 'Passkeys beside codes',
						text: 'For who has signed in with a code once and wants it faster the next time.'
					},
					{
						title: 'A log of what happened to an account',
						text: 'Sign-ins and changes, shown to its owner.'
					}
				]
			}
		],
		wish: 'Is something missing?',
		tell: 'Tell us'
	},

	changelog: {
		title: 'Changelog',
		lede: 'What has changed, the newest first.',
		unreleased: 'Not released yet',
		none: 'Nothing yet.'
	},

	home: {
		title: 'Sign in without a password',
		lede: 'Tell us your email address, we send you a short code, you type it in. There is no password to choose, to forget or to lose.',
		openApp: 'Open your account',
		developers: 'Building an app?',
		docs: 'Read the documentation',
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

	login: {
		title: 'Sign in or sign up',
		lede: 'New here or not, we will send a code to your email address. There is no password.'
	},

	consent: {
		label: 'Send me news and offers from time to time. This is optional.'
	},

	accountDeleted: {
		title: 'This account is deleted',
		lede: 'All devices are signed out, and nothing of it is shown to anybody.',
		purge: (date: string): string => `On ${date} it will be removed for good.`,
		grace:
			'For 30 days it can be restored: sign in with its address as usual, and we will offer to bring it back.',
		ask: 'Do you want it back? Everything is as you left it.',
		restore: 'Restore my account',
		leave: 'Leave it deleted',
		signIn: 'Sign in to restore it',
		home: 'Go to the home page'
	},

	checkout: {
		title: 'Thank you for your purchase',
		for: (email: string): string => `It was bought with the address ${email}.`,
		claim:
			'To add it to an account, enter a code that we send to that address. If there is no account yet, this creates one.',
		send: 'Send me a code',
		sent: (email: string): string => `We sent a code to ${email}.`,
		direct: 'You are signed in with the address it was bought with.',
		add: 'Add it to my account',
		done: 'It is yours',
		doneText: 'It belongs to your account now.',
		open: 'Open your account',
		taken: 'It belongs to another account',
		takenText:
			'Somebody who had this address before has claimed it. If that was you, sign in with the address that account has now.',
		unknownText:
			'We know of no purchase with this reference. Please check the link, or write to whoever sold it to you.'
	},

	address: {
		label: 'Email address',
		submit: 'Send me a code',
		waiting: (email: string): string => `Enter the code sent to ${email}`,
		meant: (email: string): string => `Did you mean ${email}?`,
		sendThere: 'Send it there'
	},

	code: {
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
		until: 'Signed in until',
		whyTitle: 'Why this page is protected',
		why: 'It is not on the list of public pages, and everything that is not on that list needs a session. Your own pages go in src/routes and are protected the same way, without a line of code.'
	},

	settings: {
		title: 'Settings',
		nav: { label: 'Your pages', account: 'Account', settings: 'Settings' },
		profile: {
			title: 'Profile',
			lede: 'What we call you.',
			label: 'Name',
			hint: 'It may stay empty.',
			submit: 'Save name',
			saved: 'Your name is saved.'
		},
		email: {
			title: 'Email address',
			lede: 'Codes for signing in go to it.',
			current: 'Your address',
			label: 'New email address',
			hint: 'A link goes there. Nothing changes before you open it where you are signed in.',
			submit: 'Send me a link',
			off: 'On this site the address cannot be changed by a link.',
			reproof: 'To change it you also need a code from the address you have now.',
			sendProof: 'Send a code to my current address',
			proofSent: (email: string): string => `A code is on its way to ${email}.`,
			proofLabel: 'Code from your current address',
			sent: (email: string, time: string): string =>
				`If ${email} can be used, a link is on its way. It works for ${time}, here, where you are signed in.`,
			cancelled: 'The change is cancelled. Your address stays as it is.',
			changed: 'Your address is changed. All other devices are signed out.',
			waiting: 'Waiting to be confirmed',
			waitingLink: (time: string): string =>
				`If it can be used, a link was sent to it. Open it where you are signed in, within ${time}.`,
			waitingCode: (time: string): string =>
				`If it can be used, a code was sent to it. Enter the code where you asked for it, within ${time}.`,
			cancel: 'Cancel this change'
		},
		sessions: {
			title: 'Where you are signed in',
			lede: 'Sign out whatever you do not recognise.',
			current: 'This device',
			signedIn: (date: string): string => `Signed in on ${date}`,
			lastActive: (date: string): string => `Last active on ${date}`,
			activeNow: 'Active now',
			end: 'Sign out',
			more: (count: number): string => (count === 1 ? 'One more device' : `${count} more devices`),
			alone: 'No other device is signed in.',
			endOthers: 'Sign out all other devices',
			endAll: 'Sign out everywhere',
			ended: 'That device is signed out.',
			othersEnded: 'All other devices are signed out.'
		},
		consent: {
			title: 'News and offers',
			lede: 'By email, from time to time.',
			given: 'You agreed to receive them.',
			givenOn: (date: string): string => `You agreed to receive them on ${date}.`,
			withdraw: 'You no longer want them? Write to',
			none: 'You have not agreed to receive them. This is optional.',
			agree: 'Yes, send me news and offers',
			agreed: 'Thank you. You will hear from us.'
		},
		deletion: {
			title: 'Delete account',
			lede: 'For good, after a time to think it over.',
			points: [
				'All devices are signed out at once.',
				'For 30 days you can restore it: just sign in again.',
				'After that it is gone for good, with everything that belongs to it.'
			],
			sure: 'I want to delete my account.',
			submit: 'Delete my account'
		}
	},

	verifyEmail: {
		title: 'Confirm your new address',
		lede: 'Your account will move to the new address. All other devices are signed out then.',
		from: 'Now',
		to: 'New',
		submit: 'Confirm this address',
		later: 'Not now',
		stranger:
			'Sign in to the account that asked for this change, with its present address. The link waits in this browser until then.',
		refusedTitle: 'Nothing was changed',
		refusedAs: 'You are signed in as',
		noneTitle: 'Nothing to confirm',
		none: 'No change of address waits in this browser. Open the link in the mail once more, or ask for a new one in the settings.',
		settings: 'Go to the settings'
	},

	/** The words around the documentation; its own texts are in src/lib/ui/docs. */
	docs: {
		title: 'Documentation',
		nav: 'Documentation',
		contents: 'Contents',
		start: 'Start',
		guides: 'Guides',
		reference: 'API reference',
		otherGuides: 'Other guides',
		previous: 'Previous',
		next: 'Next',
		copy: 'Copy',
		copied: 'Copied',
		linkTo: (section: string): string => `Link to: ${section}`,
		baseUrl: 'This installation',
		step: (step: number): string => `curl, step ${step}`,
		version: (version: string): string => `Version ${version}.`,
		raw: 'The same as an OpenAPI document',
		tokenHint:
			'In the examples TOKEN is a variable of the shell that holds the token of a sign-in.',
		conventions: 'Conventions',
		session: {
			required: 'Needs a session.',
			optional: 'Works with or without a session.',
			unused: 'Needs no session.'
		},
		query: 'Query',
		body: 'Body',
		required: 'required',
		optional: 'optional',
		notAlways: 'not always there',
		curl: (call: string): string => `curl: ${call}`,
		answer: (status: string): string => `Answer ${status}`,
		answerType: 'Type:',
		headers: 'Headers',
		example: (call: string): string => `Example answer: ${call}`,
		errors: 'Errors',
		generalErrors: (count: number, more: boolean): string =>
			more
				? `And ${count} that calls of this kind share`
				: `${count} that calls of this kind share`,
		errorsLede:
			'Match on the code, never on the message. All of them, with their status and what they mean:',
		schemas: 'Schemas'
	},

	/** What describes a fault in one sentence; the page around it is `faultPages`. */
	faults: {
		notFound: 'There is nothing at this address.',
		elsewhere: 'Something failed on the way here. Please go back and try again.',
		foreignForm: (origin: string): string =>
			`This form came from another address than ${origin}. Please open the page there and try again.`,
		noCookie:
			'Your browser did not send back our cookie, and without it nobody can sign in. Please allow cookies for this site, reload the page and try again.',
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

	/** Devices, put into words by device-name.ts. */
	device: {
		unknown: 'an unknown device',
		unknownProgram: 'an unknown program',
		app: (technique: string): string => `an app (${technique})`,
		on: (program: string, system: string): string => `${program} on ${system}`
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
		/** When and from which device a code or a link was asked for. */
		asked: (at: string, source: string): string => `Asked for on ${at} from ${source}.`,
		/** The subject, where an operator wants the code there: first, as lists and locked screens cut the end. */
		codeInSubject: (code: string, subject: string): string => `${code} · ${subject}`,
		codes: {
			lives: (time: string): string => `It works once and expires after ${time}.`,
			never: (site: string): string =>
				`Nobody from ${site} will ever ask you for this code, so keep it to yourself.`,
			preheader: (time: string): string =>
				`It works once and expires after ${time}. If you did not ask for it, ignore this mail.`,
			signIn: {
				subject: (site: string): string => `Your sign-in code for ${site}`,
				heading: 'Your sign-in code',
				intro: (site: string): string => `Enter this code to sign in to ${site}:`,
				ignore: 'If you did not ask for it, ignore this mail: without the code nobody gets in.'
			},
			verification: {
				subject: (site: string): string => `Confirm your address for ${site}`,
				heading: 'Confirm your address',
				intro: (site: string): string =>
					`Enter this code at ${site} to confirm that this address is yours:`,
				ignore: 'If you did not ask for it, ignore this mail and nothing will change.'
			},
			change: {
				subject: (site: string): string => `Your code for a change of address at ${site}`,
				heading: 'Confirm your new address',
				intro: (account: string, site: string): string =>
					`The account ${account} at ${site} asks to use this address from now on. Enter this code only if that account is yours:`,
				ignore: 'If that account is not yours, ignore this mail and nothing will change.'
			}
		},
		welcome: {
			subject: (site: string): string => `Welcome to ${site}`,
			heading: (site: string): string => `Welcome to ${site}`,
			intro: (email: string): string => `Your account for ${email} is ready.`,
			how: 'There is no password. Whenever you sign in, a new code comes to this address.',
			open: 'Open your account',
			preheader: 'Your account is ready. There is no password to remember.'
		},
		changeLink: {
			subject: (site: string): string => `Confirm your new address for ${site}`,
			heading: 'Confirm your new address',
			intro: (account: string, site: string): string =>
				`The account ${account} at ${site} asks to use this address from now on. Confirm only if that account is yours.`,
			confirm: 'Confirm this address',
			lives: (time: string): string =>
				`The link works once, within ${time}. Opening it alone changes nothing.`,
			fallback: 'If the button does not work, open this address:',
			ignore: (site: string): string =>
				`If that account is not yours, ignore this mail and nothing will change. Nobody from ${site} will ever ask you for this link, so keep it to yourself.`,
			preheader: (time: string): string =>
				`The link works once, within ${time}. If that account is not yours, ignore this mail.`
		},
		/** Where something was done from: the words for a device, and its address on the network. */
		source: (device: string, address: string): string => `${device}, ${address}`,
		addressChanged: {
			requested: {
				subject: (site: string): string => `A change of your address at ${site} was asked for`,
				heading: 'Address change requested',
				intro: (to: string, site: string): string =>
					`Somebody who is signed in to your account at ${site} asked to change its address to ${to}. Nothing changes unless the new address is confirmed.`,
				detail: (at: string, source: string): string => `Asked for on ${at} from ${source}.`
			},
			completed: {
				subject: (site: string): string => `Your address at ${site} was changed`,
				heading: 'Your address was changed',
				intro: (to: string, site: string): string =>
					`Your account at ${site} now belongs to ${to}. Codes no longer come to this address, and all other devices were signed out.`,
				detail: (at: string, source: string): string => `Changed on ${at} from ${source}.`
			},
			preheader: 'If this was not you, object at once.'
		},
		accountDeleted: {
			subject: (site: string): string => `Your account at ${site} was deleted`,
			heading: 'Your account was deleted',
			intro: (email: string, site: string): string =>
				`The account ${email} at ${site} was deleted, and all its devices were signed out.`,
			detail: (at: string, source: string): string => `Deleted on ${at} from ${source}.`,
			restore: (until: string): string =>
				`Changed your mind? Sign in as usual, with a code sent to this address, before ${until}: you will be offered to restore the account. After that it is gone for good.`,
			open: 'Sign in',
			preheader: 'It can still be restored. If this was not you, object at once.'
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
		longName: (most: number): string => `That name is too long. It may have ${most} characters.`,
		invalidName: 'That name holds characters that cannot be shown. Please type it again.',
		unsure: 'Please tick this if you want to delete your account.',
		sameEmail: 'That is the address your account has already.',
		emailTaken: 'Another account uses this address by now. Please choose another one.',
		invalidLink:
			'This link does not work here. It may have been used, replaced or cancelled, it may be older than an hour, or it may have been asked for by another account.',
		linksOff: 'Changing the address by a link is switched off on this site.',
		accountDeleted: (purgeAt: Date): string =>
			`This account was deleted. It can be restored until ${en.common.date(purgeAt)}.`,
		invalidLeave: 'The time to restore has run out. Please sign in again to go on.',
		resendTooSoon: (seconds: number): string =>
			seconds === 1
				? 'You can ask for another code in one second.'
				: `You can ask for another code in ${seconds} seconds.`
	}
} as const;
