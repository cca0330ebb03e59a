import { RESTORE_DAYS } from '#lib/domain/policy.ts';

export const accountDeleted = {
	title: 'Your account is deleted',
	account: (email: string | null): string => (email ? `the account ${email}` : 'your account'),
	grace: (account: string): string =>
		`You can restore ${account} within ${RESTORE_DAYS} days. After that, it and its data are deleted forever.`,
	ask: (account: string, date: string): string =>
		`If you don’t restore ${account}, it will be deleted forever on ${date}.`,
	askTitle: 'Restore your account?',
	restore: 'Restore my account',
	leave: 'Keep it deleted',
	blockedTitle: 'We can’t restore this account',
	blocked: (account: string): string => `You can’t sign in to ${account}, because it’s blocked.`,
	sendCode: 'Send a code to restore it',
	overTitle: 'This page has expired',
	over: (account: string): string => `To restore ${account}, sign in again.`,
	/** For a browser that deleted no account and was offered no restoration. */
	unknownTitle: 'Restore a deleted account',
	unknown: `Sign in with its email address within ${RESTORE_DAYS} days.`
};

export const app = {
	title: 'Your account',
	greeting: 'Welcome',
	greetingByName: (name: string): string => `Welcome, ${name}`,
	/** In development only. */
	start: 'Start in src/routes/app/+page.svelte.'
};

export const profile = {
	title: 'Name (optional)',
	submit: 'Save name',
	saved: 'Name saved.'
};

export const deletion = {
	title: 'Delete account',
	summary: (days: number): string =>
		`You can restore a deleted account within ${days} days. After that, it and its data are deleted forever.`,
	open: 'Delete',
	sure: (email: string): string => `I want to delete the account ${email}.`,
	submit: 'Delete my account'
};

export const settings = {
	title: 'Settings',
	nav: { label: 'Your account', account: 'Account', settings: 'Settings', accounts: 'All accounts' }
};
