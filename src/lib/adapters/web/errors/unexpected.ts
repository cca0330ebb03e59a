import type { RequestEvent } from '@sveltejs/kit';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { httpError, serviceUnavailable } from './http-errors.ts';

/** The API response to an unexpected error. Also logs it. */
export const answerFault = (event: RequestEvent, error: unknown): Response => {
	logFault(event, error);
	return error instanceof StoreUnavailable ? serviceUnavailable() : httpError('internal_error');
};

/** Logs one line per fault. The message of a store fault contains nothing confidential. */
export const logFault = (event: RequestEvent, error: unknown): void => {
	const { app, requestId, target } = event.locals;
	const fault = error instanceof StoreUnavailable ? error.message : error;
	app.log.fault(`${event.request.method} ${target.routeId ?? 'no route'}`, fault, { requestId });
};
