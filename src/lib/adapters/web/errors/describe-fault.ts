import type { HandleServerError } from '@sveltejs/kit/hooks';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { logFault } from './unexpected.ts';

/** What a person is told when something went wrong: never a stack, never a driver's words. */
export const describeFault: HandleServerError = (caught) => {
	const faults = messages.faults;
	if (caught.kind === 'app') return undefined;
	if (caught.kind !== 'unknown') {
		return { message: caught.error.status === 404 ? faults.notFound : faults.badRequest };
	}
	logFault(caught.event, caught.error);
	return caught.error instanceof StoreUnavailable
		? { status: 503, message: faults.unavailable }
		: { message: faults.internal };
};
