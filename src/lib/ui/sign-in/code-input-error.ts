import { codeInput, parseCode } from '#lib/domain/sign-in/code.ts';
import { messages } from '#lib/messages/messages.ts';

/** What is wrong with a typed code at first sight, so that it costs no attempt; null if nothing is. */
export const codeSlip = (typed: string): string | null => {
	if (parseCode(typed) !== null) return null;
	const { emptyCode, incompleteCode, incompleteDigits } = messages.slips;
	if (typed.trim() === '') return emptyCode;
	const { inputMode, length } = codeInput();
	return inputMode === 'numeric' ? incompleteDigits(length) : incompleteCode(length);
};
