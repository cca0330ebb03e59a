export const settings = {
	title: 'Settings',
	nav: { label: 'Your account', account: 'Account', settings: 'Settings', accounts: 'All accounts' }
};
