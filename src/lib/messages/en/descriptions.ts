/** Descriptions of pages, which search engines and previews of links show. */
export const descriptions = {
	site: (site: string): string =>
		`Sign in to ${site} with a code sent to your email address. There’s no password to choose or forget.`,
	signUp: (site: string): string =>
		`Create your account at ${site}. We’ll email you a code, and there’s no password to choose.`,
	contact: (site: string): string =>
		`Help with the most common problems when signing in to ${site}.`,
	changelog: (site: string): string => `All changes to ${site}, newest first.`,
	roadmap: (site: string): string => `What we plan next for ${site}.`
};
