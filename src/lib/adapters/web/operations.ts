import { accountOperations } from './account/operations.ts';
import { documentOf, operationsIn, type OpenApiDocument } from './api/openapi/document.ts';
import type { DocumentConfig, Operation } from './api/operation.ts';
import { consentOperations } from './consent/operations.ts';
import { emailChangeOperations } from './email-change/operations.ts';
import { forwardOperations } from './forward/operations.ts';
import { serviceOperations } from './service/operations.ts';
import { sessionOperations } from './sessions/operations.ts';
import { signInOperations } from './sign-in/operations.ts';

/** The groups of the API reference, in its order. A test fails for an endpoint that is missing. */
const groups = {
	'Sign-in': {
		description: 'Send a code by email and exchange it for a session.',
		operations: signInOperations
	},
	Session: { description: 'Read, list and end sessions.', operations: sessionOperations },
	Account: { description: 'Change or delete the account.', operations: accountOperations },
	Consent: {
		description:
			'Give or withdraw the consent to marketing, with a session or an unsubscribe link.',
		operations: consentOperations
	},
	'Email change': {
		description: 'Change the email address of an account, by code or by link.',
		operations: emailChangeOperations
	},
	Service: {
		description: 'The server and its OpenAPI document.',
		operations: { ...serviceOperations, ...forwardOperations }
	}
};

export const operations: readonly Operation[] = operationsIn(groups);

export const openApiDocument = (config: DocumentConfig): OpenApiDocument =>
	documentOf(groups, config);

type InGroup<Group> = Group extends { operations: infer All } ? All[keyof All] : never;
export type DescribedRoute = InGroup<(typeof groups)[keyof typeof groups]>['path'];
