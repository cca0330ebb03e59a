/** Maps the `type` of the API to a purpose. Null for an unknown type. */
export const purposeOf = (type: string): 'sign_in' | 'email_verification' | null => {
	if (type === 'sign-in') return 'sign_in';
	return type === 'email-verification' ? 'email_verification' : null;
};
