import { apiError } from './api-error.ts';

/** What a code is for, by its name on the wire; null for a type that is not offered. */
export const purposeOf = (type: string): 'sign_in' | 'email_verification' | null => {
	if (type === 'sign-in') return 'sign_in';
	return type === 'email-verification' ? 'email_verification' : null;
};

export const invalidOtpType = (): Response => apiError(400, 'INVALID_OTP_TYPE', 'Invalid OTP type');
