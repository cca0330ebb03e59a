export const contact = {
	title: 'Contact',
	lede: (site: string): string => `Do you have a question or a problem with ${site}?`,
	writeTitle: 'Write to us',
	from: 'If you can, write from the email address of your account.',
	none: 'This site hasn’t set a contact address yet.',
	operator: 'The operator of this site can set one with SUPPORT_EMAIL.',
	topics: [
		{
			title: 'No code arrives',
			text: 'Check the spam folder, and the email address for typing errors. An email can take a few minutes. Only the newest code works.'
		},
		{
			title: 'You got a code that you didn’t request',
			text: 'Someone entered your email address, perhaps by mistake. Nobody can sign in without the code, so don’t share it.'
		},
		{
			title: 'You can’t read your email any more',
			text: 'If you’re still signed in on any device, change your email address in the settings there. Otherwise, write to us.'
		},
		{
			title: 'You found a security problem',
			text: 'Report it to us before you publish it, with the steps to reproduce it. We’ll reply and keep you informed.'
		}
	]
};

export const roadmap = {
	title: 'Roadmap',
	lede: 'What we plan next, in order, without dates.',
	stages: [
		{
			name: 'Now',
			about: 'In progress.',
			plans: [
				{
					title: 'As fast as an empty endpoint',
					text: 'Sessions are cached in memory and can be revoked as before. Anyone can repeat the benchmark.'
				}
			]
		},
		{
			name: 'Next',
			about: 'Planned, not started.',
			plans: [
				{
					title: 'More languages',
					text: 'All texts are in one catalogue. A language adds another.'
				},
				{
					title: 'Limits shared by all instances',
					text: 'Today, each instance counts the limits per client separately.'
				}
			]
		},
		{
			name: 'Later',
			about: 'Ideas that need more thought.',
			plans: [
				{
					title: 'Passkeys beside codes',
					text: 'For people who want a faster way back in.'
				},
				{
					title: 'An activity log for each account',
					text: 'Shows sign-ins and changes to the owner of the account.'
				}
			]
		}
	],
	wish: 'Is something missing?',
	tell: 'Tell us'
};

export const changelog = {
	title: 'Changelog',
	lede: 'All changes, newest first.',
	unreleased: 'Not released yet',
	none: 'Nothing yet.'
};
