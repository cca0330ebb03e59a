import * as account from './account/operations.ts';
import * as consent from './consent/operations.ts';
import * as emailChange from './email-change/operations.ts';
import * as forward from './forward/operations.ts';
import { documentOf, type OpenApiDocument } from './api/openapi/document.ts';
import type { DocumentConfig, Operation } from './api/operation.ts';
import * as service from './service/operations.ts';
import * as session from './sessions/operations.ts';
import * as signIn from './sign-in/operations.ts';

const groups = [signIn, session, account, consent, emailChange, forward, service] as const;

/** The whole JSON API. The modules export nothing but operations, so none can be missing here. */
export const operations: readonly Operation[] = groups.flatMap((group): Operation[] =>
	Object.values(group)
);

export const openApiDocument = (config: DocumentConfig): OpenApiDocument =>
	documentOf(operations, config);

type MembersOf<Group> = Group extends unknown ? Group[keyof Group] : never;

export type DescribedRoute = MembersOf<(typeof groups)[number]>['path'];
