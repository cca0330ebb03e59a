import { RESTORE_DAYS } from '#lib/domain/policy.ts';

const results = {
	done: 'Done.',
	unchanged: 'Nothing was changed: the account already is like this.',
	is_operator: 'Nothing was changed: this account is an operator’s. Use the command line.',
	gone: 'Nothing was changed: the account is gone.'
};

export const operators = {
	title: 'All accounts',
	label: 'Email address or ID',
	hint: 'The first letters of an address are enough.',
	search: 'Search',
	none: 'No account found.',
	next: 'Next',
	/** The order of the list. */
	order: 'Accounts by email address',
	marks: { operator: 'Operator', blocked: 'Blocked', deleted: 'Deleted', none: 'Active' },
	about: {
		status: 'Status',
		id: 'ID',
		name: 'Name',
		created: 'Created',
		news: 'News and offers',
		on: 'On',
		off: 'Off',
		pending: 'Pending email change to',
		purge: 'Permanently deleted on',
		sends: 'Codes sent',
		known: 'Codes sent to known devices',
		recent: (count: number, minutes: number): string => `${count} in the last ${minutes} minutes`,
		wrong: 'Wrong codes in a row'
	},
	actions: {
		title: 'Actions',
		operator: 'This account is an operator’s. Use the command line to change it.',
		endTitle: 'Sign out all devices',
		endText: 'Signs the person out everywhere. Earlier codes and links stop working.',
		end: 'Sign out',
		endNow: 'Sign out now',
		blockTitle: 'Block this account',
		blockText: 'Signs the person out. They can’t sign in until you unblock the account.',
		block: 'Block',
		blockNow: 'Block now',
		unblock: 'Unblock',
		deleteTitle: 'Delete this account',
		deleteText: `Signs the person out. They can restore the account within ${RESTORE_DAYS} days.`,
		delete: 'Delete',
		deleteNow: 'Delete now',
		restore: 'Restore'
	},
	sessions: 'Signed-in devices',
	end: 'Sign out',
	devices: 'Known devices, by their last use',
	consents: { title: 'Consent', granted: 'Turned on', withdrawn: 'Turned off' },
	purchases: 'Purchases',
	resultOf: (code: string | null): string | null =>
		code !== null && Object.hasOwn(results, code) ? results[code as keyof typeof results] : null
};
