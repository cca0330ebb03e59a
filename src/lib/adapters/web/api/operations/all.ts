import * as account from './account.ts';
import * as consent from './consent.ts';
import * as emailChange from './email-change.ts';
import type { Operation } from '../operation.ts';
import * as service from './service.ts';
import * as session from './sessions.ts';
import * as signIn from './sign-in.ts';

const groups = [signIn, session, account, consent, emailChange, service] as const;

/** The whole JSON API. The modules export nothing but operations, so none can be missing here. */
export const operations: readonly Operation[] = groups.flatMap((group): Operation[] =>
	Object.values(group)
);

type MembersOf<Group> = Group extends unknown ? Group[keyof Group] : never;

/** The routes of all operations. */
export type DescribedRoute = MembersOf<(typeof groups)[number]>['path'];
