/** What a code is for, by its name on the wire; null for a type that is not offered. */
export const purposeOf = (type: string): 'sign_in' | 'email_verification' | null => {
	if (type === 'sign-in') return 'sign_in';
	return type === 'email-verification' ? 'email_verification' : null;
};
