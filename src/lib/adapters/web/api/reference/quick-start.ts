import type { OpenApiDocument } from '../openapi/types.ts';
import { curlOf } from './api-reference.ts';

/** The commands that lead to a session, in order. */
export interface QuickStart {
	readonly sendCode: string;
	readonly signIn: string;
	readonly whoAmI: string;
}

export const quickStart = (document: OpenApiDocument): QuickStart => ({
	sendCode: curlOf(document, 'POST', '/api/auth/email-otp/send-verification-otp'),
	signIn: curlOf(document, 'POST', '/api/auth/sign-in/email-otp'),
	whoAmI: `TOKEN='the token from the answer'\n${curlOf(document, 'GET', '/api/auth/get-session')}`
});
