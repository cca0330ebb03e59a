/** What a piece of code is, for its colour. Null if it has the colour of the text. */
export type CodeKind = 'comment' | 'constant' | 'function' | 'keyword' | 'string' | null;

/** Code as coloured pieces, in order. Together they are the whole text. */
export type ColouredCode = readonly (readonly [text: string, kind: CodeKind])[];

/**
 * Where the code was coloured, the server had this origin. Readers of the repository can run the
 * code as it is. Pages show the origin of the installation instead.
 */
export const SAMPLE_ORIGIN = 'http://localhost:3000';
