export type SignInPage = 'sign-in' | 'sign-up' | 'login';

interface Layout {
	readonly signIn: `/auth/${SignInPage}`;
	readonly signUp: `/auth/${SignInPage}`;
	/** Whether consent comes with the code. Otherwise it is a separate call after signing in. */
	readonly consentWithCode: boolean;
	/** The specified placeholder of the email that confirms an email address. */
	readonly emailLink: 'verificationUrl' | 'confirmationUrl';
	/** Public besides the paths that always are, but not what is under them. */
	readonly alsoPublic: readonly string[];
}

const layouts = <Name extends string>(all: Readonly<Record<Name, Layout>>) => all;

/** How sign-in and sign-up are spread over pages (`AUTH_ENTRY`), and everything that follows. */
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
