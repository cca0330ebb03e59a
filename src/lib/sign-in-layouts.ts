export type SignInPage = 'sign-in' | 'sign-up' | 'login';

interface Layout {
	readonly signIn: `/auth/${SignInPage}`;
	readonly signUp: `/auth/${SignInPage}`;
	/** Whether consent comes with the code. Otherwise it is a separate call after signing in. */
	readonly consentWithCode: boolean;
	/** The placeholder of the link in emails that confirm an email address. */
	readonly emailLink: 'verificationUrl' | 'confirmationUrl';
	/** Further public paths, without the paths under them. */
	readonly alsoPublic: readonly string[];
}

const layouts = <Name extends string>(all: Readonly<Record<Name, Layout>>) => all;

/** Whether sign-in and sign-up have two pages or one (`AUTH_ENTRY`), and what depends on it. */
export const signInLayouts = layouts({
	split: {
		signIn: '/auth/sign-in',
		signUp: '/auth/sign-up',
		consentWithCode: false,
		emailLink: 'verificationUrl',
		alsoPublic: []
	},
	single: {
		signIn: '/auth/login',
		signUp: '/auth/login',
		consentWithCode: true,
		emailLink: 'confirmationUrl',
		alsoPublic: ['/download']
	}
});

export type SignInLayout = keyof typeof signInLayouts;
