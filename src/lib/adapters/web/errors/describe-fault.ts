import type { HandleServerError } from '@sveltejs/kit/hooks';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { logFault } from './unexpected.ts';

/**
 * The text for a person when something failed. Never contains a stack trace or a driver's message.
 */
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
