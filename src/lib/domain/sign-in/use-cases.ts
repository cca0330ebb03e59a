import { makeCheckCode } from './check-code.ts';
import { makeReadPendingCode } from './read-pending-code.ts';
import { makeRequestCode } from './request-code.ts';
import { makeUserCreated, type UserCreatedDeps } from './user-created.ts';
import { makeVerifyCode, type VerifyCode, type VerifyCodeDeps } from './verify-code.ts';
import { makeVerifyEmail } from './verify-email.ts';

export const signIn = {
	requestCode: makeRequestCode,
	readPendingCode: makeReadPendingCode,
	checkCode: makeCheckCode,
	verifyCode: (deps: Omit<VerifyCodeDeps, 'userCreated'> & UserCreatedDeps): VerifyCode =>
		makeVerifyCode({ ...deps, userCreated: makeUserCreated(deps) }),
	verifyEmail: makeVerifyEmail
};
