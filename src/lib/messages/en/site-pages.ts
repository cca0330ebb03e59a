import { RESTORE_DAYS, UNDO_DAYS } from '#lib/domain/policy.ts';

export const contact = {
	title: 'Help',
	/** The email address follows. */
	write: 'Email us at',
	from: 'Write from the email address of your account, if you can.',
	security: 'If you found a security problem, email us the steps to reproduce it.',
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
			points: [
				'A code works once, for 10 minutes. Use the one from the newest email, in the browser or app where you requested it.'
			]
		},
		{
			title: 'You got a sign-in code that you didn’t request',
			points: [
				'Someone entered your email address, perhaps by mistake. Nobody can sign in without the code, so never share it.'
			]
		},
		{
			title: 'Someone else used your account',
			points: [
				'Change the password of your email account.',
				'Sign out all other devices in your settings.',
				`If your account was deleted, sign in within ${RESTORE_DAYS} days to restore it.`,
				`If your email address was changed, open the link that we emailed to your earlier address. It works for ${UNDO_DAYS} days.`
			]
		},
		{
			title: 'You can’t read your email any more',
			points: ['Ask your email provider to restore your access.']
		}
	]
};

export const roadmap = {
	title: 'Roadmap',
	stages: [
		{
			title: 'Next',
			points: [
				'More languages: all texts are in English today.',
				'Limits shared by all servers: today, each server counts requests on its own.'
			]
		},
		{
			title: 'Later',
			points: ['Passkeys beside codes, for people who want a faster sign-in.']
		}
	]
};

export const changelog = {
	title: 'Changelog'
};
