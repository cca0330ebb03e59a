/** A piece of the name of a type; one that is described elsewhere on the page names that schema. */
export interface TypePart {
	readonly text: string;
	readonly schema: string | null;
}

/** One property of an object, in words. */
export interface Field {
	readonly name: string;
	readonly type: readonly TypePart[];
	readonly required: boolean;
	readonly description: string;
	readonly limits: readonly string[];
}

/** What a call that succeeds is answered with. */
export interface ReferenceAnswer {
	readonly status: string;
	readonly description: string;
	readonly headers: readonly Field[];
	/** Null where there is none. */
	readonly body: {
		readonly type: readonly TypePart[];
		readonly fields: readonly Field[];
		readonly example: string;
	} | null;
}

export interface ReferenceError {
	readonly status: string;
	readonly code: string;
	readonly message: string;
	readonly meaning: string;
	readonly general: boolean;
}

export interface ReferenceOperation {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly summary: string;
	readonly description: string;
	readonly session: 'required' | 'optional' | 'unused';
	readonly query: readonly Field[];
	readonly body: readonly Field[];
	readonly curl: string;
	readonly answer: ReferenceAnswer;
	/** The codes of its errors, whose meanings stand in `errors` of the whole. */
	readonly errors: readonly string[];
}
