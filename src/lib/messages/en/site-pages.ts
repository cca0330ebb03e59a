export const contact = {
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
};

export const roadmap = {
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
};

export const changelog = {
	title: 'Changelog',
	lede: 'What has changed, the newest first.',
	unreleased: 'Not released yet',
	none: 'Nothing yet.'
};
