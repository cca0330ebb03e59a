const events = {
	signed_up: 'Account created',
	signed_in: 'Signed in',
	signed_out: 'Signed out',
	session_ended: 'Signed out a device',
	email_changed: 'Email address changed',
	email_change_undone: 'Email address changed back',
	consent_granted: 'News and offers turned on',
	consent_withdrawn: 'News and offers turned off',
	blocked: 'Account blocked',
	unblocked: 'Account unblocked',
	deleted: 'Account deleted',
	restored: 'Account restored',
	purged: 'Account permanently deleted',
	role_granted: 'Became an operator of this site',
	role_revoked: 'No longer an operator of this site',
	opened: 'Account viewed',
	exported: 'Data downloaded',
	code_sent: '1 code or link emailed',
	code_refused: '1 wrong code'
};

/** `session_ended` counts sessions, not devices, so its text has no number. */
const several: Readonly<Partial<Record<keyof typeof events, (count: number) => string>>> = {
	session_ended: () => 'Signed out devices',
	code_sent: (count) => `${count} codes or links emailed`,
	code_refused: (count) => `${count} wrong codes`
};

export const activity = {
	title: 'Activity',
	lede: (days: number): string => `The last ${days} days`,
	none: 'Nothing yet.',
	between: (from: string, to: string): string => `Between ${from} and ${to}`,
	newest: 'Latest',
	older: 'Older',
	byOperator: 'An operator',
	/** `detail` is an email address, or why an operator changed it. */
	event: (kind: keyof typeof events, count = 1, detail: string | null = null): string => {
		const text = (count === 1 ? undefined : several[kind]?.(count)) ?? events[kind];
		return text + (detail === null ? '' : `: ${detail}`);
	}
};

export const yourData = {
	title: 'Your data',
	activity: 'See your activity',
	download: 'Download your data'
};
