import * as account from './account.ts';
import * as emailChange from './email-change.ts';
import type { Operation } from '../operation.ts';
import * as service from './service.ts';
import * as session from './sessions.ts';
import * as signIn from './sign-in.ts';

/** The whole JSON API. The modules export nothing but operations, so none can be missing here. */
export const operations: readonly Operation[] = [
	signIn,
	session,
	account,
	emailChange,
	service
].flatMap((group): Operation[] => Object.values(group));
