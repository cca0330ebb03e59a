import { messages } from '#lib/messages/messages.ts';

/** What a form tells when its request came to no answer of its own: a fault, a limit, no network. */
export const faultText = ({ error }: { error: Error | App.Error }): string => {
	const common = messages.common;
	const faults = messages.faults;
	const status = 'status' in error ? error.status : 0;
	// Answers of ours come with words for a person.
	const ours =
		[403, 429].includes(status) || Object.values<unknown>(faults).includes(error.message);
	if (ours) return error.message;
	return status >= 400 && status < 500 ? faults.badRequest : common.unreachable;
};
