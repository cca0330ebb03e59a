import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { sendFromElsewhere } from '../../e2e/arrival.ts';
import type { PageState } from '../visit.ts';

/** How this text begins, with JavaScript or without it, for every client. */
const TOO_MANY = messages.errors.tooManySends(true, null).slice(0, -1);

/** What people see when a limit on emails is reached. */
export const limitPages: readonly PageState[] = [
	{
		name: 'code-throttled',
		reach: async (visit) => {
			await sendFromElsewhere(visit.server, visit.address, 4);
			await visit.requestCode();
			// After so long another code can be requested.
			await visit.passTime(31);
			await visit.open('/auth/sign-in');
			await visit.on.resendButton.click();
			await expect(visit.on.alert(TOO_MANY)).toBeVisible();
		}
	}
];
