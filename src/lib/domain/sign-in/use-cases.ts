import { makeCheckCode } from './check-code.ts';
import { makeReadPendingCode } from './read-pending-code.ts';
import { makeRequestCode } from './request-code.ts';
import { makeVerifyCode } from './verify-code.ts';
import { makeVerifyEmail } from './verify-email.ts';

export const signIn = {
	requestCode: makeRequestCode,
	readPendingCode: makeReadPendingCode,
	checkCode: makeCheckCode,
	verifyCode: makeVerifyCode,
	verifyEmail: makeVerifyEmail
};
