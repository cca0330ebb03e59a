export const settings = {
	title: 'Settings',
	nav: { label: 'Your pages', account: 'Account', settings: 'Settings' }
};
