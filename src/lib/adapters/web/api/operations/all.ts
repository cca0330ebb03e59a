import * as account from './account.ts';
import * as emailChange from './email-change.ts';
import type { Operation } from '../operation.ts';
import * as service from './service.ts';
import * as session from './sessions.ts';
import * as signIn from './sign-in.ts';

/** The whole JSON API. A group exports operations and nothing else, so none can be forgotten here. */
export const operations: readonly Operation[] = [
	signIn,
	session,
	account,
	emailChange,
	service
].flatMap((group): Operation[] => Object.values(group));
