import { messages } from '#lib/messages/messages.ts';

/**
 * The text to show when a form gets no response of its own, because of a fault, a rate limit or a
 * network error.
 */
export const faultText = ({ error }: { error: Error | App.Error }): string => {
	const common = messages.common;
	const faults = messages.faults;
	const status = 'status' in error ? error.status : 0;
	// Our own error responses contain a text for people.
	const ours =
		[403, 429].includes(status) || Object.values<unknown>(faults).includes(error.message);
	if (ours) return error.message;
	return status >= 400 && status < 500 ? faults.badRequest : common.unreachable;
};

/** What the form waits for after such an error, as its message. Undefined if it can be sent now. */
export const waitOf = ({ error }: { error: Error | App.Error }): App.FormDemand | undefined =>
	'wait' in error && error.wait ? { puzzle: null, wait: error.wait } : undefined;
