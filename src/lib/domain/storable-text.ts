/** Lone surrogates and NUL. PostgreSQL refuses them in a text. */
const UNSTORABLE = /[\p{Surrogate}\0]/gu;

/** Whether every store can keep a text as it is. */
export const isStorable = (text: string): boolean => text.search(UNSTORABLE) === -1;

/** A text without the characters that a store cannot keep. */
export const storable = (text: string): string => text.replace(UNSTORABLE, '');
