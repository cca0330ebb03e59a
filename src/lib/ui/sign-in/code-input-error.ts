import { codeInput, parseCode } from '#lib/domain/sign-in/code.ts';
import { messages } from '#lib/messages/messages.ts';

/** Finds an obvious error in a typed code, so that it costs no attempt. Null if there is none. */
export const codeInputError = (typed: string): string | null => {
	if (parseCode(typed) !== null) return null;
	const { emptyCode, incompleteCode, incompleteDigits } = messages.inputErrors;
	if (typed.trim() === '') return emptyCode;
	const { inputMode, length } = codeInput();
	return inputMode === 'numeric' ? incompleteDigits(length) : incompleteCode(length);
};
