import { messages } from '#lib/messages/messages.ts';

/** What a form tells when its request came to no answer of its own: a fault, a limit, no network. */
export const faultText = ({ error }: { error: Error | App.Error }): string => {
	const { common, faults } = messages;
	if (Object.values(faults).includes(error.message)) return error.message;
	const status = 'status' in error ? error.status : 0;
	if (status === 429) return common.tooOften;
	return status >= 400 && status < 500 ? faults.badRequest : common.unreachable;
};
