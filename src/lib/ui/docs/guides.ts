/** The guides, in reading order. */
export const guides = [
	{
		slug: 'web-pages',
		title: 'Web pages in this project',
		description: 'Protected pages, forms that work without JavaScript, and the signed-in user.'
	},
	{
		slug: 'single-page-app',
		title: 'Single-page app',
		description: 'The better-auth client in a browser, on this origin or on another one.'
	},
	{
		slug: 'mobile-apps',
		title: 'Mobile apps',
		description: 'Capacitor, Ionic, Expo and React Native, with the session in secure storage.'
	},
	{
		slug: 'command-line',
		title: 'Command-line tools',
		description: 'Sign in once in a terminal and stay signed in.'
	},
	{
		slug: 'devices-and-challenges',
		title: 'Known devices and challenges',
		description: 'Keep others from using up the codes of your app, and answer challenges.'
	},
	{
		slug: 'other-backends',
		title: 'Another backend',
		description: 'Find the user of a request in your own service, in any language.'
	},
	{
		slug: 'protect-routes',
		title: 'Protect your own routes',
		description: 'Public routes, the user of a request, and rate limits.'
	},
	{
		slug: 'replace-ports',
		title: 'Your own payments, email and notices',
		description: 'Write your own adapter for a port, without changing sign-in.'
	},
	{
		slug: 'app-emails',
		title: 'Emails of your application',
		description: 'Send news only to people who agreed, with an unsubscribe link that always works.'
	},
	{
		slug: 'from-better-auth',
		title: 'Move from better-auth',
		description: 'What stays the same, what differs, and how to move your users.'
	}
] as const;

export type Guide = (typeof guides)[number];
export type GuideSlug = Guide['slug'];

export const findGuide = (slug: string): Guide | undefined =>
	guides.find((guide) => guide.slug === slug);

export interface Neighbours {
	readonly previous: Guide | undefined;
	readonly next: Guide | undefined;
}

export const neighboursOf = (guide: Guide): Neighbours => {
	const at = guides.indexOf(guide);
	return { previous: guides[at - 1], next: guides[at + 1] };
};
