export const activity = {
	title: 'Activity',
	lede: (days: number): string => `What happened to your account in the last ${days} days.`,
	none: 'Nothing yet.',
	newest: 'Latest',
	older: 'Older',
	byOperator: 'by an operator of this site',
	/** By event. A number counts what happened, a text is an email address. */
	events: {
		signed_up: 'You created this account.',
		signed_in: 'You signed in.',
		signed_out: 'You signed out.',
		session_ended: (count: number): string =>
			count === 1
				? 'A device was signed out.'
				: `Devices were signed out: ${count} sign-ins ended.`,
		email_changed: (email: string | null): string =>
			email === null
				? 'Your email address was changed.'
				: `Your email address was changed to ${email}.`,
		email_change_undone: (email: string | null): string =>
			email === null
				? 'Your email address was changed back.'
				: `Your email address was changed back to ${email}.`,
		consent_granted: 'News and offers were turned on.',
		consent_withdrawn: 'News and offers were turned off.',
		blocked: 'Your account was blocked.',
		unblocked: 'Your account was unblocked.',
		deleted: 'Your account was deleted.',
		restored: 'Your account was restored.',
		purged: 'Your account was permanently deleted.',
		role_granted: 'You became an operator of this site.',
		role_revoked: 'You’re no longer an operator of this site.',
		opened: 'Your account was looked at.',
		exported: 'Your data was downloaded.',
		code_sent: (count: number): string =>
			count === 1 ? 'We sent a code or link.' : `We sent ${count} codes or links.`,
		code_refused: (count: number): string =>
			count === 1
				? 'A wrong or old code was entered.'
				: `Wrong or old codes were entered ${count} times.`
	}
};

export const yourData = {
	title: 'Your data',
	lede: 'The file is JSON, with your account, devices, consent to news and offers, purchases and activity.',
	activity: 'See your activity',
	download: 'Download your data'
};
