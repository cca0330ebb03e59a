import { accountOperations } from './account/operations.ts';
import { documentOf, type OpenApiDocument } from './api/openapi/document.ts';
import type { DocumentConfig, Operation } from './api/operation.ts';
import { consentOperations } from './consent/operations.ts';
import { emailChangeOperations } from './email-change/operations.ts';
import { forwardOperations } from './forward/operations.ts';
import { serviceOperations } from './service/operations.ts';
import { sessionOperations } from './sessions/operations.ts';
import { signInOperations } from './sign-in/operations.ts';

/** In the order of the API reference. A test fails for an endpoint that is missing. */
const all = [
	...signInOperations,
	...sessionOperations,
	...accountOperations,
	...consentOperations,
	...emailChangeOperations,
	...serviceOperations,
	...forwardOperations
] as const;

export const operations: readonly Operation[] = all;

export const openApiDocument = (config: DocumentConfig): OpenApiDocument =>
	documentOf(operations, config);

export type DescribedRoute = (typeof all)[number]['path'];
