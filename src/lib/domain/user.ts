import type { Email } from './email.ts';
import type { Brand, UserId } from './ids.ts';

export interface User {
	readonly id: UserId;
	readonly email: Email;
	/** Always true: an account is created only by a code sent to its email address. */
	readonly emailVerified: boolean;
	readonly name: string;
	readonly image: string | null;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** What an account may do beyond its own data. It ends when its email address changes. */
export type Role = 'operator';

/** The display name of an account: one line of text, or nothing. */
export type Name = Brand<string, 'Name'>;

/** In UTF-16 code units, as browsers and JSON Schema tools count. */
export const MAX_NAME = 200;

export const NO_NAME = '' as Name;

/**
 * Control characters, line and paragraph separators and lone surrogates, which no store or page can
 * show in a line. Also the characters that embed, override or isolate a reading direction: with
 * them, a name could change how the text around it reads. The three implicit marks (U+200E, U+200F,
 * U+061C) are allowed, because people who write Hebrew or Arabic need them. Each acts like one
 * invisible letter, so it cannot reverse the text after the name.
 */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u;

export type NameProblem = 'too_long' | 'unshowable';

export const nameProblem = (text: string): NameProblem | null => {
	if (text.length > MAX_NAME) return 'too_long';
	return UNSHOWABLE.test(text) ? 'unshowable' : null;
};

export const isName = (text: string): text is Name => nameProblem(text) === null;

/** Lone surrogates and NUL. PostgreSQL refuses them in a text. */
const UNSTORABLE = /[\p{Surrogate}\0]/gu;

export const isStorable = (text: string): boolean => text.search(UNSTORABLE) === -1;

export const storable = (text: string): string => text.replace(UNSTORABLE, '');
