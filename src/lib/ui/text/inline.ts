export interface Piece {
	readonly kind: 'text' | 'code' | 'strong';
	readonly text: string;
}

/** `code`, **strong**, and words such as INVALID_OTP, which are always error codes. */
const MARKED = /(`[^`]+`|\*\*[^*]+\*\*|\b[A-Z]+(?:_[A-Z]+)+\b)/;

/** Parses the small part of Markdown that short texts use, so that no HTML has to be injected. */
export const inline = (text: string): readonly Piece[] =>
	text.split(MARKED).flatMap((part, i): Piece[] => {
		if (part === '') return [];
		if (i % 2 === 0) return [{ kind: 'text', text: part }];
		if (part.startsWith('`')) return [{ kind: 'code', text: part.slice(1, -1) }];
		if (part.startsWith('**')) return [{ kind: 'strong', text: part.slice(2, -2) }];
		return [{ kind: 'code', text: part }];
	});

/** The same text without its marks, for the description of a page. */
export const plainText = (text: string): string =>
	inline(text)
		.map((piece) => piece.text)
		.join('');
