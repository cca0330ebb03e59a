import type { RequestEvent } from '@sveltejs/kit';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { httpError, serviceUnavailable } from './http-errors.ts';
import type { HandleServerError } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';

/** The API response to an unexpected error. Also logs it. */
export const answerFault = (event: RequestEvent, error: unknown): Response => {
	logFault(event, error);
	return error instanceof StoreUnavailable ? serviceUnavailable() : httpError('internal_error');
};

/** Logs one line per fault. After a fault of the store, the response says when to retry. */
export const logFault = (event: RequestEvent, error: unknown): void => {
	const { app, requestId, target } = event.locals;
	if (error instanceof StoreUnavailable) event.locals.isStoreDown = true;
	app.log.fault(`${event.request.method} ${target.routeId ?? 'no route'}`, error, { requestId });
};

/**
 * The text for a person when something failed. Never contains a stack trace or a driver's message.
 */
export const handleFault: HandleServerError = (caught) => {
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
