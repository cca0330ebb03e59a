import type { UserId } from '../../ids.ts';

/** What a part does when the owner of an account reported an email as spam, at the time `at`. */
export type ComplaintStep = (account: UserId, at: Date) => Promise<void>;
