import { RESTORE_DAYS, UNDO_DAYS } from '#lib/domain/policy.ts';

export const contact = {
	title: 'Help',
	/** The email address follows. */
	write: 'Email us at',
	from: 'Write from the email address of your account, if you can.',
	/** In the settings link of a point. */
	settings: 'your settings',
	/** `ask` is shown where the site gives an email address. */
	topics: [
		{
			title: 'You didn’t get a code',
			points: [
				'Check that you typed the email address correctly.',
				'Check your spam folder.',
				'Wait a few minutes. Then send a new code.'
			]
		},
		{
			title: 'Your code doesn’t work',
			text: 'A code works once, for 10 minutes. Use the one from the newest email, in the browser or app where you requested it.'
		},
		{
			title: 'You got a sign-in code that you didn’t request',
			text: 'Someone entered your email address, perhaps by mistake. Nobody can sign in without the code, so never share it.'
		},
		{
			title: 'Someone else used your account',
			first: 'Change the password of your email account.',
			inSettings: 'Sign out all other devices in',
			points: [
				`If your account was deleted, sign in within ${RESTORE_DAYS} days to restore it.`,
				`If your email address was changed, open the link that we emailed to your earlier address. It works for ${UNDO_DAYS} days.`
			]
		},
		{
			title: 'You can’t read your email any more',
			text: 'Ask your email provider to restore your access.',
			ask: 'If that doesn’t work, email us from another address.'
		},
		{
			title: 'You found a security problem',
			ask: 'Email us the steps to reproduce it.'
		}
	] satisfies readonly {
		title: string;
		text?: string;
		first?: string;
		/** The second point. A link to the settings follows. */
		inSettings?: string;
		points?: readonly string[];
		ask?: string;
	}[]
};

export const roadmap = {
	title: 'Roadmap',
	stages: [
		{
			name: 'Next',
			plans: [
				{
					title: 'More languages',
					text: 'All texts are in English today.'
				},
				{
					title: 'Limits shared by all servers',
					text: 'Today, each server counts requests on its own.'
				}
			]
		},
		{
			name: 'Later',
			plans: [
				{
					title: 'Passkeys beside codes',
					text: 'For people who want a faster sign-in.'
				}
			]
		}
	],
	wish: 'Is something missing?',
	tell: 'Tell us'
};

export const changelog = {
	title: 'Changelog'
};
