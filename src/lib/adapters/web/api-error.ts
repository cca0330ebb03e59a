/** An error as programs get it: always `message` and `code`, never more than is meant to be told. */
export const apiError = (
	status: number,
	code: string,
	message: string,
	retryAfter: number | null = null,
	more: Readonly<Record<string, string>> = {}
): Response => {
	const headers = new Headers({ 'cache-control': 'no-store' });
	if (retryAfter !== null) {
		headers.set('retry-after', String(retryAfter));
		headers.set('x-retry-after', String(retryAfter));
	}
	return Response.json({ message, code, ...more }, { status, headers });
};

export const unauthorized = (): Response => apiError(401, 'UNAUTHORIZED', 'Unauthorized');
export const notFound = (): Response => apiError(404, 'NOT_FOUND', 'Not found');

export const methodNotAllowed = (allowed: readonly string[]): Response => {
	const response = apiError(405, 'METHOD_NOT_ALLOWED', 'Method not allowed');
	response.headers.set('allow', allowed.join(', '));
	return response;
};

/** By the wire contract, for limits per client and per address alike. */
export const TOO_MANY_REQUESTS = {
	status: 429,
	code: 'TOO_MANY_REQUESTS',
	message: 'Too many requests. Please try again later.'
} as const;

export const tooManyRequests = (retryAfter: number): Response => {
	const { status, code, message } = TOO_MANY_REQUESTS;
	return apiError(status, code, message, retryAfter);
};

/** Whole seconds after which it is worth to ask a store again that did not answer. */
export const STORE_RETRY_AFTER = 2;

export const serviceUnavailable = (): Response =>
	apiError(503, 'SERVICE_UNAVAILABLE', 'Service unavailable', STORE_RETRY_AFTER);

export const internalError = (): Response =>
	apiError(500, 'INTERNAL_ERROR', 'Something went wrong on our side');
