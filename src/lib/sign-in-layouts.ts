export type SignInPage = 'sign-in' | 'sign-up' | 'login';

/** Whether sign-in and sign-up have two pages or one (`AUTH_ENTRY`), and what depends on it. */
export const signInLayouts = {
	split: {
		signIn: '/auth/sign-in',
		signUp: '/auth/sign-up',
		/** Whether consent comes with the code. Otherwise it is a separate call after signing in. */
		consentWithCode: false,
		/** The placeholder of the link in emails that confirm an email address. */
		emailLink: 'verificationUrl',
		/** Further public paths, without the paths under them. */
		alsoPublic: [] as string[]
	},
	single: {
		signIn: '/auth/login',
		signUp: '/auth/login',
		consentWithCode: true,
		emailLink: 'confirmationUrl',
		alsoPublic: ['/download'] as string[]
	}
} as const;

export type SignInLayout = keyof typeof signInLayouts;
